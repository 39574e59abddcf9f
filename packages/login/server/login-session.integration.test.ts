import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { holdLock } from "../../../e2e/support/held-lock.ts";
import { type Issued, inSeconds, newHash, startLoginStore } from "../../../e2e/support/login-store.ts";
import { findLoginSession } from "./check-login.ts";
import { type IssuingFlow, issueChallenge } from "./issue-login.ts";

/** docs/protocol.md#31-get-apisvcqr */

const store = startLoginStore();
const LOGIN: IssuingFlow = { name: "login", challengesKept: null, endsWhenAnswered: false };
const FAST: IssuingFlow = { name: "fast", challengesKept: 4, endsWhenAnswered: true };

function ask(
  before: Pick<Issued, "sid" | "browserHash"> | null,
  changes: Partial<Parameters<typeof issueChallenge>[1]> = {},
) {
  return issueChallenge(store().database, {
    ...{
      now: new Date(),
      flow: LOGIN,
      challenge: randomUUID(),
      newSid: randomUUID(),
      newBrowserHash: newHash(),
    },
    ...{ sid: before?.sid ?? null, browserHash: before?.browserHash ?? null, intent: null },
    browser: { userAgent: null, network: null, knownBrowserHash: null },
    ...changes,
  });
}

const challengesOf = async (sid: string) =>
  (
    await store().query<{ text: string }>("SELECT text FROM challenge WHERE sid = $1 ORDER BY issued_at", [
      sid,
    ])
  ).map(({ text }) => text);

const issuedTimes = async (sid: string) =>
  (await store().query("SELECT 1 FROM login_event WHERE sid = $1 AND kind = 'issued'", [sid])).length;

describe("a browser without a session", () => {
  test("gets a new pending session with the challenge and its own secret", async () => {
    const [now, challenge, newSid, newBrowserHash] = [new Date(), randomUUID(), randomUUID(), newHash()];
    const answer = await ask(null, { now, challenge, newSid, newBrowserHash });
    expect(answer).toMatchObject({ sid: newSid, keepsSecret: false, answered: false });
    expect(await findLoginSession(store().database, newSid)).toMatchObject({
      status: "pending",
      userId: null,
      challengedAt: now,
      browserHash: newBrowserHash,
    });
    const issued = "SELECT issued_at FROM challenge WHERE text = $1 AND sid = $2";
    expect(await store().query(issued, [challenge, newSid])).toEqual([{ issued_at: now }]);
    expect(await issuedTimes(newSid)).toBe(1);
  });

  test("keeps the same secret for as long as one of its login sessions is valid", async () => {
    const now = new Date();
    const login = await store().issue({ at: now });
    const { browserHash } = login;
    for (const [seconds, kept] of [
      [599.999, true],
      [600, false],
    ] as const) {
      const later = { now: inSeconds(seconds, now), sid: null };
      const { sid, keepsSecret } = await ask({ sid: "", browserHash }, later);
      expect({ seconds, keepsSecret }).toEqual({ seconds, keepsSecret: kept });
      const state = await findLoginSession(store().database, sid);
      expect(Buffer.from(browserHash).equals(state?.browserHash ?? new Uint8Array())).toBe(kept);
      await store().query("DELETE FROM login_session WHERE sid = $1", [sid]);
    }
    expect(await ask({ sid: login.sid, browserHash: newHash() })).toMatchObject({ keepsSecret: false });
  });
});

describe("a session's new challenge", () => {
  test("is issued to the session's own browser, and leaves the previous challenge valid", async () => {
    const [login, other] = [await store().issue(), await store().issue()];
    const challenge = randomUUID();
    const renewed = await ask(login, { challenge });
    expect(renewed).toMatchObject({ sid: login.sid, keepsSecret: true, answered: false });
    expect(await challengesOf(login.sid)).toEqual([login.challenge, challenge]);
    expect(await issuedTimes(login.sid)).toBe(2);
    expect(await challengesOf(other.sid)).toEqual([other.challenge]);
  });

  test("does not affect the browser's other login session", async () => {
    const login = await store().issue();
    const other = await store().issue({ browserHash: login.browserHash });
    const before = await store().readLogin(other.sid);
    expect((await ask(login)).sid).toBe(login.sid);
    expect(await store().readLogin(other.sid)).toEqual(before);
    expect(await challengesOf(other.sid)).toEqual([other.challenge]);
  });

  test("is later than the previous one even if the clock stops or is set back", async () => {
    const now = new Date();
    const login = await store().issue({ at: now });
    for (const [index, at] of [now, now, inSeconds(-5, now)].entries()) {
      await ask(login, { now: at });
      const state = await findLoginSession(store().database, login.sid);
      expect(state?.challengedAt).toEqual(inSeconds((index + 1) / 1000, now));
    }
    expect(await challengesOf(login.sid)).toHaveLength(4);
  });

  test("is issued until ten minutes after the last one, to the millisecond", async () => {
    const now = new Date();
    const login = await store().issue({ at: now });
    expect((await ask(login, { now: inSeconds(600, now) })).sid).not.toBe(login.sid);
    expect((await ask(login, { now: inSeconds(599.999, now) })).sid).toBe(login.sid);
  });

  test.each<[string, (login: Issued) => Promise<unknown> | unknown, Parameters<typeof ask>[1]]>([
    ["another browser", () => {}, { browserHash: newHash() }],
    ["another flow", () => {}, { flow: FAST }],
    ["another intent", () => {}, { intent: { intent: "add", askedBy: randomUUID() } }],
    ["an answered session", async (login) => answer(login), {}],
  ])(
    "is issued only if the session is valid, and otherwise a new session starts: %s",
    async (_what, prepare, changes) => {
      const login = await store().issue();
      await prepare(login);
      const { sid, answered } = await ask(login, changes);
      expect(sid).not.toBe(login.sid);
      expect(answered).toBe(false);
      expect(await challengesOf(login.sid)).toEqual([login.challenge]);
    },
  );

  test("is not delayed while the answered session is being redeemed", async () => {
    for (const flow of ["login", "fast"] as const) {
      const login = await store().issue({ flow });
      await answer(login);
      const select = "SELECT 1 FROM login_session WHERE sid = $1 FOR UPDATE";
      const redemption = await holdLock(store().url, select, [login.sid]);
      const response = ask(login, flow === "fast" ? { flow: FAST } : {});
      const stillWaiting = redemption.waiting(1).then(() => "waits");
      const first = await Promise.race([response, stillWaiting]);
      stillWaiting.catch(() => {});
      await redemption.release();
      expect(first).toMatchObject({ answered: flow === "fast" });
    }
  });

  test.each(["add", "approve", "recover"] as const)(
    "is issued for a login session with an intent (%s) only if the same browser session requests it",
    async (intent) => {
      const askedBy = randomUUID();
      const login = await store().issue({ intent: { intent, askedBy } });
      expect((await ask(login, { intent: { intent, askedBy } })).sid).toBe(login.sid);
      expect((await ask(login, { intent: { intent, askedBy: randomUUID() } })).sid).not.toBe(login.sid);
      expect((await ask(login)).sid).not.toBe(login.sid);
    },
  );

  test("makes the session pending again after an unknown key has answered", async () => {
    const login = await store().issue();
    // The result must not depend on the table's other rows.
    await store().query("UPDATE login_session SET status = 'unregistered' WHERE sid <> $1", [login.sid]);
    await store().query("UPDATE login_session SET status = 'pending' WHERE sid = $1", [login.sid]);
    expect(await store().collectNotifications(() => ask(login))).toEqual([]);
    await store().query("UPDATE login_session SET status = 'unregistered' WHERE sid = $1", [login.sid]);
    // The browser's other tabs are also waiting for the status.
    expect(await store().collectNotifications(() => ask(login))).toEqual([{ sid: login.sid }]);
    expect(await findLoginSession(store().database, login.sid)).toMatchObject({ status: "pending" });
  });
});

async function answer(login: Issued): Promise<void> {
  const { userId } = await store().newUser();
  await store().query(
    "UPDATE login_session SET status = 'authenticated', authenticated_at = now(), user_id = $2 WHERE sid = $1",
    [login.sid, userId],
  );
}

describe("a flow with a limit on challenges", () => {
  test("deletes only the session's oldest challenges above the limit", async () => {
    const login = await store().issue({ flow: "fast" });
    const other = await store().issue({ flow: "fast" });
    const challenges = [login.challenge];
    for (let response = 0; response < 5; response++) {
      const challenge = randomUUID();
      challenges.push(challenge);
      await ask(login, { flow: FAST, challenge });
    }
    expect(await challengesOf(login.sid)).toEqual(challenges.slice(-4));
    expect(await challengesOf(other.sid)).toEqual([other.challenge]);
  });
});

describe("a flow whose sessions end once they are answered", () => {
  const asFast = (login: Issued, changes: Parameters<typeof ask>[1] = {}) =>
    ask(login, { flow: FAST, ...changes });

  test("issues no new challenge for an answered session, and reports the session as answered", async () => {
    const login = await store().issue({ flow: "fast" });
    await answer(login);
    expect(await asFast(login)).toMatchObject({ sid: login.sid, keepsSecret: true, answered: true });
    expect(await challengesOf(login.sid)).toEqual([login.challenge]);
  });

  test.each<[string, string, Parameters<typeof ask>[1]]>([
    ["redeemed", "redeemed_at = now()", {}],
    ["idle for ten minutes", "authenticated_at = now() - interval '10 minutes'", {}],
    ["another browser's", "sid = sid", { browserHash: newHash() }],
    ["for another intent", "adds_to_session = gen_random_uuid()", {}],
    ["in another flow", "flow = 'login'", {}],
    ["unanswered while another one is named", "sid = sid", { sid: randomUUID() }],
  ])("starts a new session instead of one that has ended: %s", async (_what, set, changes) => {
    const login = await store().issue({ flow: "fast" });
    await answer(login);
    await store().query(`UPDATE login_session SET ${set} WHERE sid = $1`, [login.sid]);
    const { sid, answered } = await asFast(login, changes);
    expect(sid).not.toBe(login.sid);
    expect(answered).toBe(false);
  });
});

test("reads the flow and the state of a login by its sid", async () => {
  const [login, fast] = [await store().issue(), await store().issue({ flow: "fast" })];
  const find = (sid: string) => findLoginSession(store().database, sid);
  expect(await find(login.sid)).toMatchObject({ flow: "login", status: "pending" });
  expect(await find(fast.sid)).toMatchObject({ flow: "fast", status: "pending" });
  expect(await find(randomUUID())).toBeNull();
});
