import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { holdLock } from "../../../e2e/support/held-lock.ts";
import { type Issued, inSeconds, newHash, startLoginStore } from "../../../e2e/support/login-store.ts";

const store = startLoginStore();
const SESSIONS = 100;
const BROWSERS = 200;

const idsOf = async (userId: number) => (await store().listSessions(userId)).map(({ id }) => id as string);

/** The sessions were opened one second apart, starting an hour ago. Returns their ids, oldest first. */
async function openSessions(
  user: { userId: number; key: string },
  count: number,
  hours = 1,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await store().query(
    `INSERT INTO browser_session (id, user_id, credential, created_at, last_seen_at, expires_at)
     SELECT id, $2, $3, at, at, at + interval '7 days'
     FROM unnest($1::uuid[]) WITH ORDINALITY AS session(id, place),
       LATERAL (SELECT now() - $4 * interval '1 hour' + place * interval '1 second') AS opened(at)`,
    [ids, user.userId, user.key, hours],
  );
  return ids;
}

async function signInAtOnce(logins: readonly Issued[]): Promise<string[]> {
  const ids = logins.map(() => randomUUID());
  const outcomes = logins.map((login, index) =>
    store().redeem(login, { browserSessionId: ids[index] ?? "", expiresAt: inSeconds(7 * 24 * 3600) }),
  );
  expect((await Promise.all(outcomes)).every((outcome) => outcome !== null)).toBe(true);
  return ids;
}

async function fullAccount() {
  const user = await store().newUser();
  return { ...user, sessions: await openSessions(user, SESSIONS) };
}

describe("a sign-in to an account with 100 browser sessions", () => {
  test("ends the oldest session and records why", async () => {
    const { sessions, ...user } = await fullAccount();
    const { sessionId } = await store().openSession(user);
    expect(await idsOf(user.userId)).toEqual([...sessions.slice(1), sessionId]);
    const findReasons =
      "SELECT reason, credential FROM login_event WHERE user_id = $1 AND kind = 'session_ended'";
    expect(await store().query(findReasons, [user.userId])).toEqual([
      { reason: "too_many", credential: user.key },
    ]);
  });

  test("does not end another account's sessions", async () => {
    const other = await fullAccount();
    await store().openSession(await fullAccount());
    expect(await idsOf(other.userId)).toEqual(other.sessions);
  });

  test.each([2, 8])(
    "leaves the newest 100 sessions after several rounds of simultaneous sign-ins: %i",
    async (count) => {
      const { sessions, ...user } = await fullAccount();
      let expected = sessions;
      for (let round = 0; round < Math.min(12, SESSIONS / count); round += 1) {
        const logins = await Promise.all(Array.from({ length: count }, () => store().answerLogin(user)));
        expected = [...expected.slice(count), ...(await signInAtOnce(logins))];
        expect((await idsOf(user.userId)).toSorted()).toEqual(expected.toSorted());
      }
    },
  );

  test("invalidates only the codes that the oldest session has requested", async () => {
    const { sessions, ...user } = await fullAccount();
    const codesOf = async (askedBy = "") => [
      await store().issue({ intent: { intent: "add", askedBy } }),
      await store().issue({ intent: { intent: "approve", askedBy } }),
    ];
    const [gone, kept] = [await codesOf(sessions[0]), await codesOf(sessions[1])];
    await store().openSession(user);
    const findSessions = "SELECT sid FROM login_session WHERE sid = ANY($1)";
    const sids = [...gone, ...kept].map(({ sid }) => sid);
    expect((await store().query(findSessions, [sids])).map(({ sid }) => sid).toSorted()).toEqual(
      kept.map(({ sid }) => sid).toSorted(),
    );
  });

  test("ends the second-oldest session if the oldest one is in the middle of a change", async () => {
    const { sessions, ...user } = await fullAccount();
    const [oldest, next] = sessions;
    const lock = await holdLock(store().url, "SELECT 1 FROM browser_session WHERE id = $1 FOR KEY SHARE", [
      oldest,
    ]);
    await store().openSession(user);
    await lock.release();
    const ids = await idsOf(user.userId);
    expect(ids).toHaveLength(SESSIONS);
    expect(ids).toContain(oldest);
    expect(ids).not.toContain(next);
  });

  test("leaves 100 sessions if it coincides with an approval in the oldest session", async () => {
    for (let round = 0; round < 6; round += 1) {
      const { sessions, ...user } = await fullAccount();
      const [oldest = ""] = sessions;
      const approval = await store().answerLogin(user, { intent: { intent: "approve", askedBy: oldest } });
      const login = await store().answerLogin(user);
      const [renewed, opened] = [randomUUID(), randomUUID()];
      const [, approved] = await Promise.all([
        store().redeem(login, { browserSessionId: opened }),
        store().redeem(approval, { browserSessionId: renewed }),
      ]);
      const ids = await idsOf(user.userId);
      expect(ids).toHaveLength(SESSIONS);
      expect(ids).not.toContain(oldest);
      expect(ids).toContain(opened);
      expect(ids.includes(renewed)).toBe(approved !== null);
    }
  });

  test("also ends the oldest session if a process that runs the previous version inserts the row", async () => {
    const { sessions, ...user } = await fullAccount();
    const added = await openSessions(user, 3, 0.5);
    expect((await idsOf(user.userId)).toSorted()).toEqual([...sessions.slice(3), ...added].toSorted());
  });
});

describe("an account with 200 known browsers", () => {
  const knownHashes = async (userId: number) =>
    (
      await store().query<{ hash: Buffer }>(
        "SELECT hash FROM known_browser WHERE user_id = $1 ORDER BY last_seen_at",
        [userId],
      )
    ).map(({ hash }) => hash.toString("hex"));

  async function signInBy(user: { key: string }, knownBrowserHash: Uint8Array) {
    const login = await store().answerLogin(user);
    const set = "UPDATE login_session SET known_browser_hash = $2 WHERE sid = $1";
    await store().query(set, [login.sid, knownBrowserHash]);
    return login;
  }

  async function fullOfBrowsers() {
    const user = await store().newUser();
    const hashes = Array.from({ length: BROWSERS }, newHash);
    await store().query(
      `INSERT INTO known_browser SELECT $2, hash, now() - interval '1 hour' + place * interval '1 second'
       FROM unnest($1::bytea[]) WITH ORDINALITY AS browser(hash, place)`,
      [hashes, user.userId],
    );
    return { ...user, hashes: hashes.map((hash) => hash.toString("hex")) };
  }

  test("replaces the oldest browser with the new one", async () => {
    const { hashes, ...user } = await fullOfBrowsers();
    const added = Array.from({ length: 8 }, newHash);
    await signInAtOnce(await Promise.all(added.map((hash) => signInBy(user, hash))));
    const expected = [...hashes.slice(8), ...added.map((hash) => hash.toString("hex"))];
    expect((await knownHashes(user.userId)).toSorted()).toEqual(expected.toSorted());
  });

  test("updates a browser's last-seen time once a day", async () => {
    const { hashes, ...user } = await fullOfBrowsers();
    const [other, hash] = [await store().newUser(), Buffer.from(hashes[0] ?? "", "hex")];
    await store().query("INSERT INTO known_browser VALUES ($1, $2, '2020-01-01Z')", [other.userId, hash]);
    await store().query("UPDATE known_browser SET last_seen_at = '2020-01-01Z' WHERE user_id = $1", [
      user.userId,
    ]);
    const seenSince = (since: string) =>
      store().query("SELECT user_id, hash FROM known_browser WHERE hash = ANY($1) AND last_seen_at > $2", [
        hashes.map((hash) => Buffer.from(hash, "hex")),
        since,
      ]);
    const now = new Date();
    await store().redeem(await signInBy(user, hash), { now });
    expect(await seenSince("2020-01-02Z")).toEqual([{ user_id: user.userId, hash }]);
    await store().redeem(await signInBy(user, hash), { now: inSeconds(60, now) });
    expect(await seenSince(now.toISOString())).toEqual([]);
  });

  test("does not lose any of them when one of them signs in again", async () => {
    const { hashes, ...user } = await fullOfBrowsers();
    const [oldest = ""] = hashes;
    await store().redeem(await signInBy(user, Buffer.from(oldest, "hex")));
    expect((await knownHashes(user.userId)).toSorted()).toEqual(hashes.toSorted());
    const announced = `SELECT subject FROM login_event WHERE user_id = $1 AND kind = 'session_created'`;
    expect(await store().query(announced, [user.userId])).toEqual([{ subject: null }]);
  });
});
