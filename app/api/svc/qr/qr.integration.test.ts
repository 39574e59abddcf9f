import { expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { check, requestQr } from "#scripts/kit/login.ts";
import { ageLogin, sql } from "#scripts/kit/sql.ts";

/** A code's session, its secret and its status, beside what the conformance kit asks (sections 3.1, 3.3 and 4.1). */

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const COOKIE = "svc-browser";

test("leaves a sid behind after ten idle minutes, and the secret with it", async () => {
  const browser = new Client(url);
  const { sid } = await requestQr(browser);
  const secret = browser.cookies.get(COOKIE);
  await ageLogin(databaseUrl, sid, 590);
  expect(await check(browser, sid)).toEqual({ status: "pending" });
  await ageLogin(databaseUrl, sid, 11);
  for (const what of ["check", "events"]) {
    await expectApiError(await browser.fetch(`/api/svc/${what}?sid=${sid}`), 410, "session_expired");
  }
  expect((await requestQr(browser, "login", sid)).sid).not.toBe(sid);
  expect(browser.cookies.get(COOKIE)).not.toBe(secret);
});

test("a poll writes nothing", async () => {
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
