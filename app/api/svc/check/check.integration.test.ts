import { describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { check, requestQr } from "#scripts/kit/login.ts";
import { ageLogin, sql } from "#scripts/kit/sql.ts";

/** The status, beside what the conformance kit asks of it (section 3.3). */

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

describe("GET /api/svc/check", () => {
  test("answers 410 once a session was not refreshed for ten minutes, and not before", async () => {
    const { sid } = await requestQr(new Client(url));
    await ageLogin(databaseUrl, sid, 590);
    expect(await check(new Client(url), sid)).toEqual({ status: "pending" });
    await ageLogin(databaseUrl, sid, 11);
    await expectApiError(await new Client(url).fetch(`/api/svc/check?sid=${sid}`), 410, "session_expired");
  });

  test("writes nothing on a poll", async () => {
    const { sid } = await requestQr(new Client(url));
    const state = () =>
      sql(
        databaseUrl,
        `SELECT session.xmin::text, (SELECT count(*) FROM login_event WHERE sid = $1) AS events,
           (SELECT array_agg(challenge.xmin::text) FROM challenge WHERE sid = $1) AS challenges
         FROM login_session AS session WHERE sid = $1`,
        [sid],
      );
    const before = await state();
    for (let poll = 0; poll < 3; poll++) await check(new Client(url), sid);
    expect(await state()).toEqual(before);
  });
});
