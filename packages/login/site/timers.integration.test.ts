import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { forgetProcess } from "../../../e2e/support/forget-process.ts";
import { createHostedLogin } from "../hosted.ts";
import { createLogin, type Login } from "../index.ts";
import {
  createUserWithCodes,
  SITE_SETTINGS,
  SiteBrowser,
  signInBrowser,
  startPendingRecovery,
  startRecovery,
  startSite,
} from "./tests/site.fixture.ts";

/** The tests control the site's intervals, and all other timers run normally. */

const MINUTE_MS = 60_000;

function startStill<Started extends Pick<Login, "start">>(create: (databaseUrl: string) => Started) {
  beforeAll(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterAll(() => {
    vi.useRealTimers();
    // A process can have only one login, so the next tests need a fresh state.
    forgetProcess();
  });
  const site = startSite(create);
  const query = async (text: string, values: unknown[]) => (await site().client.query(text, values)).rows;
  const idsOf = async (table: string, id: string, condition: string, value: unknown): Promise<unknown[]> =>
    (await query(`SELECT ${id} AS id FROM ${table} WHERE ${condition} ORDER BY 1`, [value])).map(
      (row) => row.id,
    );
  return { site, query, idsOf };
}

describe("a site", () => {
  const { site, query, idsOf } = startStill((databaseUrl) =>
    createLogin(async () => ({ ...SITE_SETTINGS, databaseUrl, recoveryDelayHours: 24 })),
  );

  test("deletes expired rows every five minutes", async () => {
    const [expired, unseen] = [await signInBrowser(site().login), await signInBrowser(site().login)];
    const { sid } = await (await new SiteBrowser(site().login).send("GET", "/api/svc/qr")).json();
    const age = "UPDATE browser_session SET expires_at = now() - interval '1 min' WHERE user_id = $1";
    await query(age, [expired.userId]);
    const leave = "UPDATE browser_session SET last_seen_at = now() - interval '2 days' WHERE user_id = $1";
    await query(leave, [unseen.userId]);
    const abandon = "UPDATE login_session SET challenged_at = now() - interval '25 hours' WHERE sid = $1";
    await query(abandon, [sid]);
    vi.advanceTimersByTime(5 * MINUTE_MS);
    const remainingRows = async () => [
      ...(await idsOf("browser_session", "id", "user_id = $1", expired.userId)),
      ...(await idsOf("login_session", "sid", "sid = $1", sid)),
    ];
    await expect.poll(remainingRows).toEqual([]);
    expect(await unseen.browser.userId()).toBe(unseen.userId);
  });

  test("completes a recovery when it is due, even if its browser has been closed", async () => {
    const { old, userId, wallet } = await startPendingRecovery(site().login);
    const makeDue = "UPDATE recovery SET takes_effect_at = now() - interval '1 min' WHERE user_id = $1";
    await query(makeDue, [userId]);
    vi.advanceTimersByTime(MINUTE_MS);
    const open = () => idsOf("recovery", "id", "user_id = $1 AND finished_at IS NULL", userId);
    await expect.poll(open).toEqual([]);
    expect(await old.userId()).toBeNull();
    expect(await idsOf("credential", "value", "user_id = $1", userId)).toContain(wallet.publicKey);
  });

  test("deletes an expired recovery for which no key was chosen", async () => {
    const waitingLogin = await startPendingRecovery(site().login);
    const abandonedUser = await createUserWithCodes(site().login);
    await startRecovery(site().login, abandonedUser.codes[0]);
    const expire = "UPDATE recovery SET expires_at = now() - interval '1 min' WHERE user_id = ANY($1)";
    await query(expire, [[waitingLogin.userId, abandonedUser.userId]]);
    vi.advanceTimersByTime(MINUTE_MS);
    await expect.poll(() => idsOf("recovery", "id", "user_id = $1", abandonedUser.userId)).toEqual([]);
    expect(await idsOf("recovery", "id", "user_id = $1", waitingLogin.userId)).toHaveLength(1);
  });
});

describe("a customer's site", () => {
  const { query, idsOf } = startStill((databaseUrl) =>
    createHostedLogin(async () => ({
      ...{ ...SITE_SETTINGS, databaseUrl, apiUrl: new URL("http://localhost:1/sandbox/v1") },
      ...{ apiKey: "svc_test_none", webhookSecrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] },
    })),
  );

  test("deletes logins a day after they began", async () => {
    const add = "INSERT INTO hosted_login (session_id, created_at) VALUES ($1, now() - $2::interval)";
    const [old, young] = [crypto.randomUUID(), crypto.randomUUID()];
    await query(add, [old, "25 hours"]);
    await query(add, [young, "23 hours"]);
    vi.advanceTimersByTime(5 * MINUTE_MS);
    const remainingIds = () => idsOf("hosted_login", "session_id", "session_id = ANY($1)", [old, young]);
    await expect.poll(remainingIds).toEqual([young]);
  });
});
