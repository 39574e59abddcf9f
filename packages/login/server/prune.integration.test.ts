import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { inSeconds, newHash, startLoginStore } from "../../../e2e/support/login-store.ts";
import type { Database } from "../database/database.ts";
import { FUNCTIONS_SCHEMA } from "../database/sql-function.ts";
import { pruneExpiredRows } from "./prune.ts";

/** To the millisecond (docs/architecture.md#kept-and-deleted). */

const store = startLoginStore();
const MINUTES = 60;
const DAYS = 24 * 3600;

test.each<[string, number, string]>([
  ["a challenge, after ten minutes", 10 * MINUTES, "challenge"],
  ["a login session, a day after its last code", 1 * DAYS, "login_session"],
  ["an audit entry, after thirty days", 30 * DAYS, "login_event"],
])("deletes a row only at the end of its retention period: %s", async (_what, seconds, table) => {
  const now = new Date();
  const [kept, gone] = [
    await store().issue({ at: inSeconds(-seconds, now) }),
    await store().issue({ at: inSeconds(-seconds - 0.001, now) }),
  ];
  expect(await pruneExpiredRows(store().database, now)).toBeGreaterThan(0);
  const remainingRows = `SELECT sid FROM ${table} WHERE sid = ANY($1)`;
  expect(await store().query(remainingRows, [[kept.sid, gone.sid]])).toEqual([{ sid: kept.sid }]);
});

test("retains an answered login session for a day", async () => {
  const now = new Date();
  const user = await store().newUser();
  const logins = [await store().answerLogin(user), await store().answerLogin(user)];
  for (const [index, { sid }] of logins.entries()) {
    await store().query("UPDATE login_session SET challenged_at = $2, authenticated_at = $3 WHERE sid = $1", [
      sid,
      inSeconds(-2 * DAYS, now),
      inSeconds(-DAYS - index * 0.001, now),
    ]);
  }
  await pruneExpiredRows(store().database, now);
  const sids = logins.map(({ sid }) => sid);
  expect(await store().query("SELECT sid FROM login_session WHERE sid = ANY($1)", [sids])).toEqual([
    { sid: sids[0] },
  ]);
});

test("retains a browser session until it expires, however long it has been unused", async () => {
  const now = new Date();
  const user = await store().newUser();
  const [unseen, expired] = [await store().openSession(user), await store().openSession(user)];
  const set = "UPDATE browser_session SET last_seen_at = $2, expires_at = $3 WHERE id = $1";
  await store().query(set, [unseen.sessionId, inSeconds(-2 * DAYS, now), now]);
  await store().query(set, [expired.sessionId, now, inSeconds(-0.001, now)]);
  await pruneExpiredRows(store().database, now);
  expect(await store().listSessions(user.userId)).toMatchObject([{ id: unseen.sessionId }]);
});

test("retains a rate limit counter until its window ends", async () => {
  const now = new Date();
  const [running, ended] = [randomUUID(), randomUUID()];
  await store().query("INSERT INTO rate_limit VALUES ($1, 1, $2), ($3, 1, $4)", [
    ...[running, now.getTime(), ended, now.getTime() - 1],
  ]);
  await pruneExpiredRows(store().database, now);
  expect(await store().query("SELECT key FROM rate_limit")).toEqual([{ key: running }]);
});

test("retains a known browser until a year after it was last seen", async () => {
  const now = new Date();
  const { userId } = await store().newUser();
  const hashes = [newHash(), newHash()];
  for (const [index, hash] of hashes.entries()) {
    const lastSeen = inSeconds(-365 * DAYS - index * 0.001, now);
    await store().query("INSERT INTO known_browser VALUES ($1, $2, $3)", [userId, hash, lastSeen]);
  }
  await pruneExpiredRows(store().database, now);
  expect(await store().query("SELECT hash FROM known_browser WHERE user_id = $1", [userId])).toEqual([
    { hash: hashes[0] },
  ]);
});

test("prunes the other tables even if pruning one table fails", async () => {
  const now = new Date();
  const { sid } = await store().issue({ at: inSeconds(-31 * DAYS, now) });
  const failingDatabase: Database = {
    async run(statement, values) {
      if (statement.name === "prune_login_sessions") throw new Error("timeout");
      return store().database.run(statement, values);
    },
  };
  await expect(pruneExpiredRows(failingDatabase, now)).rejects.toThrow("timeout");
  const remainingRows = (table: string) => store().query(`SELECT 1 FROM ${table} WHERE sid = $1`, [sid]);
  expect(await remainingRows("login_session")).toHaveLength(1);
  expect(await remainingRows("login_event")).toEqual([]);
  expect(await remainingRows("challenge")).toEqual([]);
});

test.each([
  ["prune_challenges", "challenge"],
  ["prune_login_sessions", "login_session"],
  ["prune_browser_sessions", "browser_session"],
  ["prune_audit_entries", "login_event"],
  ["prune_known_browsers", "known_browser"],
  ["prune_counters", "rate_limit"],
])("deletes at most the given number of rows and skips locked ones: %s", async (name, table) => {
  const user = await store().newUser();
  for (let count = 0; count < 4; count += 1) {
    await store().openSession(user);
    await store().query("INSERT INTO known_browser VALUES ($1, $2, now())", [user.userId, newHash()]);
    await store().query("INSERT INTO rate_limit VALUES ($1, 1, 1)", [randomUUID()]);
  }
  const count = async () =>
    Number((await store().query<{ count: string }>(`SELECT count(*) FROM ${table}`))[0]?.count);
  const pruneRows = (rows: number) =>
    store().query(`SELECT deleted_count AS deleted FROM ${FUNCTIONS_SCHEMA}.${name}($1, $2)`, [
      inSeconds(10 * 365 * DAYS),
      rows,
    ]);
  const before = await count();
  const client = await store().pool.connect();
  try {
    await client.query("BEGIN");
    const locked = await client.query(`SELECT 1 FROM ${table} LIMIT 2 FOR UPDATE`);
    expect(locked.rows).toHaveLength(2);
    expect(await pruneRows(1)).toEqual([{ deleted: 1 }]);
    expect(await count()).toBe(before - 1);
    expect(await pruneRows(before)).toEqual([{ deleted: before - 3 }]);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
  expect(await pruneRows(before)).toEqual([{ deleted: 2 }]);
  expect(await count()).toBe(0);
});
