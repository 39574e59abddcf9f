import { describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { check, registered, requestQr } from "#scripts/kit/login.ts";
import { ageLogin, sql } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

const [url, otherUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

describe("GET /api/svc/check", () => {
  test("says pending, and nothing more, to anyone who knows the sid", async () => {
    const { sid } = await requestQr(new Client(url));
    const response = await new Client(url).fetch(`/api/svc/check?sid=${sid}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await response.json()).toEqual({ status: "pending" });
  });

  test("says unregistered after a wallet without an account, and pending again after a new code", async () => {
    const browser = new Client(url);
    const { sid, challenge } = await requestQr(browser);
    const answer = await new Client(url).post("/webhook/login", new TestWallet().response(challenge));
    await expectApiError(answer, 404, "user_not_found");
    expect(await check(browser, sid)).toEqual({ status: "unregistered" });
    await requestQr(browser, "register", sid);
    expect(await check(browser, sid)).toEqual({ status: "pending" });
  });

  test("says authenticated with an integer user_id and a path of this site, in every process", async () => {
    const { browser, sid } = await registered(url);
    for (const client of [browser, new Client(otherUrl)]) {
      const answer = await check(client, sid);
      expect(answer).toEqual({
        status: "authenticated",
        user_id: expect.any(Number),
        redirect: expect.stringMatching(/^\/(?![/\\])/),
      });
      expect(answer).toHaveProperty("user_id", expect.toSatisfy(Number.isInteger));
    }
  });

  test.each(["unknown", "a".repeat(4000), "%F0%9F%99%82", "__proto__", "%5B%5D", "%27"])(
    "answers 404 to the sid %.20s that the server did not make",
    async (sid) => {
      await expectApiError(
        await new Client(url).fetch(`/api/svc/check?sid=${sid}`),
        404,
        "session_not_found",
      );
    },
  );

  test.each(["", "?", "?sid=", "?SID=x", "?sid", "?sid=a&sid=b", "?sid%5B%5D=a"])(
    "answers 400 to %j, which names no session",
    async (query) => {
      await expectApiError(await new Client(url).fetch(`/api/svc/check${query}`), 400, "invalid_request");
    },
  );

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
