import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Issued, inSeconds, newHash, startLoginStore } from "../../../e2e/support/login-store.ts";
import {
  endBrowserSessions,
  findBrowserSession,
  type SessionsToEnd,
  touchBrowserSession,
} from "./browser-session.ts";

/** docs/protocol.md#43-signing-out */

const store = startLoginStore();

const find = (id: string, now = new Date()) => findBrowserSession(store().database, id, now);
const isThere = async ({ sid }: Issued) =>
  (await store().query("SELECT 1 FROM login_session WHERE sid = $1", [sid])).length === 1;

async function twoBrowsers() {
  const user = await store().newUser();
  const [first, second] = [await store().openSession(user), await store().openSession(user)];
  return { ...user, first: first.sessionId, second: second.sessionId };
}

function end(changes: Partial<SessionsToEnd> & { userId: number | null }) {
  const all = {
    now: new Date(),
    id: null,
    reason: "signed_out",
    browserHash: null,
    endsHere: false,
  } as const;
  return endBrowserSessions(store().database, { ...all, ...changes });
}

describe("a browser session", () => {
  test("is found by its id until it expires", async () => {
    const { userId, key, first, second } = await twoBrowsers();
    const [now, expires] = [new Date(), inSeconds(60)];
    await store().query("UPDATE browser_session SET expires_at = $2 WHERE id = $1", [first, expires]);
    expect(await find(first, now)).toMatchObject({
      id: first,
      userId,
      credential: key,
      userAgent: "Firefox",
    });
    expect(await find(first, inSeconds(-0.001, expires))).not.toBeNull();
    expect(await find(first, expires)).toBeNull();
    expect((await find(second, expires))?.id).toBe(second);
    expect(await find(randomUUID())).toBeNull();
  });

  test("has its last-seen time updated at most once every five minutes", async () => {
    const { first, second } = await twoBrowsers();
    const session = await find(first);
    if (!session) throw new Error("no session");
    const lastSeenAt = session.lastSeenAt;
    await touchBrowserSession(store().database, session, inSeconds(299.999, lastSeenAt));
    expect((await find(first))?.lastSeenAt).toEqual(lastSeenAt);
    const before = (await find(second))?.lastSeenAt;
    await touchBrowserSession(store().database, session, inSeconds(300, lastSeenAt));
    expect((await find(first))?.lastSeenAt).toEqual(inSeconds(300, lastSeenAt));
    expect((await find(second))?.lastSeenAt).toEqual(before);
  });
});

describe("ending a browser session", () => {
  test("signs out one browser without affecting the others", async () => {
    const { userId, key, first, second } = await twoBrowsers();
    const [stranger, now] = [await twoBrowsers(), new Date()];
    expect(await end({ userId, id: first, now })).toBe(1);
    expect(await find(first)).toBeNull();
    for (const id of [second, stranger.first, stranger.second]) expect((await find(id))?.id).toBe(id);
    const history = "SELECT * FROM login_event WHERE user_id = $1 AND kind = 'session_ended'";
    expect(await store().query(history, [userId])).toMatchObject([
      {
        at: now,
        reason: "signed_out",
        credential: key,
        user_agent: "Firefox",
      },
    ]);
    expect(await store().query(history, [stranger.userId])).toEqual([]);
  });

  test("signs out only the user's own browsers if the user ends all sessions", async () => {
    const { userId, first, second } = await twoBrowsers();
    const stranger = await twoBrowsers();
    expect(await end({ userId, reason: "revoked" })).toBe(2);
    for (const id of [first, second]) expect(await find(id)).toBeNull();
    for (const id of [stranger.first, stranger.second]) expect((await find(id))?.id).toBe(id);
  });

  test("has no effect on another user's session", async () => {
    const { userId, first } = await twoBrowsers();
    const stranger = await twoBrowsers();
    expect(await end({ userId, id: stranger.first })).toBe(0);
    expect(await find(stranger.first)).not.toBeNull();
    expect(await find(first)).not.toBeNull();
  });

  test("ends only the browser's logins if the browser is not signed in", async () => {
    const { first } = await twoBrowsers();
    const login = await store().issue();
    expect(await end({ userId: null, browserHash: login.browserHash, endsHere: true })).toBe(0);
    expect(await find(first)).not.toBeNull();
    expect(await isThere(login)).toBe(false);
  });
});

describe("unfinished logins", () => {
  test("end in the browser that signs out, but not in other browsers", async () => {
    const user = await twoBrowsers();
    const browserHash = newHash();
    const ownLogins = [
      await store().issue({ browserHash }),
      await store().answerLogin(user, { browserHash }),
    ];
    const strangers = await store().answerLogin(await store().newUser(), { browserHash });
    const otherLogins = [await store().issue(), await store().answerLogin(user)];
    await end({ userId: user.userId, id: user.first, browserHash, endsHere: true });
    for (const login of [...ownLogins, strangers]) expect(await isThere(login)).toBe(false);
    for (const login of otherLogins) expect(await isThere(login)).toBe(true);
  });

  test("do not end in a browser that signs out a different browser", async () => {
    const user = await twoBrowsers();
    const browserHash = newHash();
    const ownLogins = [
      await store().issue({ browserHash }),
      await store().answerLogin(user, { browserHash }),
    ];
    await end({ userId: user.userId, id: user.second, reason: "revoked", browserHash });
    for (const login of ownLogins) expect(await isThere(login)).toBe(true);
  });

  test("end in other browsers if the user's keys have answered them and all sessions are revoked", async () => {
    for (const browserHash of [newHash(), null]) {
      const user = await twoBrowsers();
      const answeredLogin = await store().answerLogin(user);
      const others = [await store().issue(), await store().answerLogin(await store().newUser())];
      await end({ userId: user.userId, browserHash, reason: "signed_out" });
      expect(await isThere(answeredLogin)).toBe(true);
      await end({ userId: user.userId, browserHash, reason: "revoked" });
      expect(await isThere(answeredLogin)).toBe(false);
      for (const login of others) expect(await isThere(login)).toBe(true);
    }
  });

  test("do not end if they have been redeemed or belong to a tenant", async () => {
    const user = await twoBrowsers();
    const browserHash = newHash();
    const redeemedLogin = await store().answerLogin(user, { browserHash });
    await store().redeem(redeemedLogin);
    const hosted = await store().answerLogin(user, { browserHash });
    await store().query("UPDATE login_session SET flow = 'hosted' WHERE sid = $1", [hosted.sid]);
    await end({ userId: user.userId, browserHash: newHash(), reason: "revoked" });
    await end({ userId: user.userId, browserHash, endsHere: true });
    for (const login of [redeemedLogin, hosted]) expect(await isThere(login)).toBe(true);
  });

  test.each(["add", "approve"] as const)(
    "end with the session that requested their code (%s)",
    async (intent) => {
      const user = await twoBrowsers();
      const codeOf = (askedBy: string) => store().issue({ intent: { intent, askedBy } });
      const [ended, kept] = [await codeOf(user.first), await codeOf(user.second)];
      await end({ userId: user.userId, id: user.first });
      expect(await isThere(ended)).toBe(false);
      expect(await isThere(kept)).toBe(true);
    },
  );
});
