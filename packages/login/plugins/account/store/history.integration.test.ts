import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { inSeconds, newHash, newKey, startLoginStore } from "../../../../../e2e/support/login-store.ts";
import { createRecoveryCodes, toRequester } from "../../../../../e2e/support/recovery-store.ts";
import { endSessionsOfUndoneLogin, markLoginUndone } from "../../../server/undo-login.ts";
import { addCredential, removeCredential } from "./credential.ts";
import {
  dismissNotices,
  listNewBrowsers,
  listUndismissedChanges,
  listUndoneSignIns,
  recordShownNotices,
} from "./history.ts";

/** Each browser session can dismiss only its own notices, and only those that it has shown. */

const store = startLoginStore();
const SHOWN = 10;

type Viewer = { id: string };

async function viewing() {
  const user = await store().newUser();
  const { sessionId } = await store().openSession(user);
  return { ...user, viewer: { id: sessionId } };
}

async function change(userId: number, count = 1, at = new Date()): Promise<string[]> {
  const rows = await store().query<{ id: string }>(
    `INSERT INTO login_event (at, kind, user_id, subject)
     SELECT $2, 'api_key_created', $1, 'key ' || number FROM generate_series(1, $3::int) AS number
     RETURNING id::text`,
    [userId, at, count],
  );
  return rows.map(({ id }) => id);
}

async function load(viewer: Viewer, limit = SHOWN): Promise<string[]> {
  const notices = [
    ...(await listUndismissedChanges(store().database, viewer, limit)),
    ...(await listNewBrowsers(store().database, viewer, limit)),
  ];
  await recordShownNotices(store().database, viewer, notices);
  return notices.map(({ id }) => id);
}

const dismiss = (viewer: Viewer, ids: readonly string[], now = new Date()) =>
  dismissNotices(store().database, viewer, ids, now);

const sizeOf = async ({ id }: Viewer) => {
  const size = "SELECT pg_column_size(session.*) AS bytes FROM browser_session AS session WHERE id = $1";
  return (await store().query<{ bytes: number }>(size, [id]))[0]?.bytes ?? 0;
};

describe("a notice", () => {
  test("is dismissed only for the session that dismisses it", async () => {
    const { viewer, ...user } = await viewing();
    const other = { id: (await store().openSession(user)).sessionId };
    const ids = await change(user.userId, 3);
    expect(await load(viewer)).toEqual(ids.toReversed());
    await dismiss(viewer, ids);
    expect(await load(viewer)).toEqual([]);
    expect(await load(other)).toEqual(ids.toReversed());
  });

  test("cannot be dismissed by a session that never loaded it", async () => {
    const { viewer, ...user } = await viewing();
    const [first = ""] = await change(user.userId);
    await load(viewer);
    const [second = ""] = await change(user.userId);
    await dismiss(viewer, [first, second]);
    expect(await load(viewer)).toEqual([second]);
  });

  test("cannot be dismissed from another account with its id", async () => {
    const { viewer } = await viewing();
    const other = await viewing();
    const ids = await change(other.userId);
    await load(viewer);
    await dismiss(viewer, ids);
    await dismiss(other.viewer, []);
    expect(await load(other.viewer)).toEqual(ids);
  });

  test("is shown to a browser that signs in within seven days, even if another browser has dismissed it", async () => {
    const { viewer, ...user } = await viewing();
    const [old = ""] = await change(user.userId, 1, inSeconds(-7 * 24 * 3600 - 60));
    const [recent = ""] = await change(user.userId, 1, inSeconds(-7 * 24 * 3600 + 60));
    await dismiss(viewer, await load(viewer));
    expect(await load(viewer)).toEqual([]);
    const laterEntries = await load({ id: (await store().openSession(user)).sessionId });
    expect(laterEntries).toContain(recent);
    expect(laterEntries).not.toContain(old);
  });

  test("stays dismissed if a process that runs the previous version dismissed it", async () => {
    const { viewer, userId } = await viewing();
    const [id] = await change(userId);
    await store().query("UPDATE login_event SET dismissed_in = ARRAY[$2::uuid] WHERE id = $1", [
      id,
      viewer.id,
    ]);
    expect(await load(viewer)).toEqual([]);
  });

  test("is still shown after hundreds of later changes, ten at a time and newest first", async () => {
    const { viewer, userId } = await viewing();
    const past = inSeconds(-600);
    const [first] = await change(userId, 1, past);
    const ids = await change(userId, 300, past);
    for (let page = 0; page < 30; page += 1) {
      const events = await load(viewer);
      expect(events).toEqual(ids.splice(-SHOWN).toReversed());
      await dismiss(viewer, events);
    }
    expect(await load(viewer)).toEqual([first]);
  });

  test("is shown even if it becomes visible after a later one was dismissed", async () => {
    const { viewer, userId } = await viewing();
    const [late] = await store().query<{ id: string }>("SELECT nextval('login_event_id_seq')::text AS id");
    const ids = await change(userId);
    await load(viewer);
    await dismiss(viewer, ids);
    await store().query(
      "INSERT INTO login_event (id, at, kind, user_id, subject) VALUES ($1, now(), 'api_key_created', $2, 'late')",
      [late?.id, userId],
    );
    expect(await load(viewer)).toEqual([late?.id]);
  });

  test("can be dismissed in one tab while another tab is dismissing a different one", async () => {
    for (let round = 0; round < 12; round += 1) {
      const { viewer, userId } = await viewing();
      const ids = await change(userId, 8);
      await load(viewer);
      await Promise.all(ids.map((id) => dismiss(viewer, [id])));
      expect(await load(viewer)).toEqual([]);
    }
  });
});

describe("the dismissed notices of a session", () => {
  test("use no more space after hundreds of dismissals than after one", async () => {
    const { viewer, userId } = await viewing();
    const past = inSeconds(-600);
    const dismissAll = async () => {
      for (let ids = await load(viewer, 100); ids.length > 0; ids = await load(viewer, 100)) {
        await dismiss(viewer, ids);
      }
    };
    await change(userId, 1, past);
    await dismissAll();
    const size = await sizeOf(viewer);
    await change(userId, 400, past);
    await dismissAll();
    expect(await load(viewer)).toEqual([]);
    expect(await sizeOf(viewer)).toBeLessThanOrEqual(size);
  });

  test("are limited to 500 while an older notice is still open", async () => {
    const { viewer, userId } = await viewing();
    const past = inSeconds(-600);
    const [open] = await change(userId, 1, past);
    for (let round = 0; round < 7; round += 1) {
      await change(userId, 100, past);
      await dismiss(
        viewer,
        (await load(viewer, 100)).filter((id) => id !== open),
      );
    }
    const dismissedCount =
      "SELECT cardinality(notices_dismissed) AS count FROM browser_session WHERE id = $1";
    expect(await store().query(dismissedCount, [viewer.id])).toEqual([{ count: 500 }]);
  });
});

describe("a new browser", () => {
  async function newBrowser(user: { key: string }): Promise<string> {
    const login = await store().answerLogin(user);
    const set = "UPDATE login_session SET known_browser_hash = $2 WHERE sid = $1";
    await store().query(set, [login.sid, newHash()]);
    const sessionId = randomUUID();
    await store().redeem(login, { browserSessionId: sessionId });
    return sessionId;
  }

  test("is announced in the account's other browsers until it is dismissed there", async () => {
    const { viewer, ...user } = await viewing();
    const sessionId = await newBrowser(user);
    const list = (id: string) => listNewBrowsers(store().database, { id }, SHOWN);
    expect(await list(viewer.id)).toMatchObject([{ sessionId }]);
    expect(await list(sessionId)).toEqual([]);
    await dismiss(viewer, await load(viewer));
    expect(await list(viewer.id)).toEqual([]);
    await store().query("DELETE FROM browser_session WHERE id = $1", [sessionId]);
    const next = (await store().openSession(user)).sessionId;
    expect(await list(next)).toMatchObject([{ sessionId: null }]);
  });

  test("is announced even if a process that runs the previous version opened its session", async () => {
    const { viewer, ...user } = await viewing();
    const sessionId = await newBrowser(user);
    await store().query("UPDATE browser_session SET lineage = NULL WHERE id = $1", [sessionId]);
    await store().query("UPDATE login_event SET by_session = NULL WHERE user_id = $1", [user.userId]);
    expect(await listNewBrowsers(store().database, viewer, SHOWN)).toMatchObject([{ sessionId }]);
    expect(await listNewBrowsers(store().database, { id: sessionId }, SHOWN)).toEqual([]);
  });
});

describe("the history entry of an undone sign-in", () => {
  type User = { userId: number; key: string };

  async function signIn(user: User, approves?: string) {
    const intent = approves ? ({ intent: "approve", askedBy: approves } as const) : null;
    const login = await store().answerLogin(user, { intent });
    const sessionId = randomUUID();
    expect(await store().redeem(login, { browserSessionId: sessionId })).not.toBeNull();
    return { login, sessionId };
  }

  async function addKey({ userId }: User, sessionId: string, key = newKey()): Promise<string> {
    const login = await store().issue({ intent: { intent: "add", askedBy: sessionId } });
    await store().answer(login.challenge, key);
    const added = await addCredential(store().database, toRequester({ userId, sessionId }), login);
    if (added === null || added === "ended") throw new Error(`added: ${added}`);
    return added.id;
  }

  const record = (userId: number, sessionId: string, kind: string, subject: string) =>
    store().query(
      `INSERT INTO login_event (at, kind, user_id, subject, by_session) VALUES (now(), $3::login_event_kind, $1, $4,
         (SELECT COALESCE(lineage, id) FROM browser_session WHERE id = $2))`,
      [userId, sessionId, kind, subject],
    );

  async function undo({ userId }: User, { sid }: { sid: string }) {
    const [login] = await store().query<{ undo_hash: Uint8Array }>(
      "SELECT undo_hash FROM login_session WHERE sid = $1",
      [sid],
    );
    const undone = { now: new Date(), sid, undoHash: login?.undo_hash ?? newHash() };
    await markLoginUndone(store().database, undone);
    await endSessionsOfUndoneLogin(store().database, { ...undone, userId });
  }

  const list = async (viewer: Viewer) => {
    const undoneLogins = await listUndoneSignIns(store().database, viewer, SHOWN);
    await recordShownNotices(store().database, viewer, undoneLogins);
    return undoneLogins;
  };
  const removeKey = (user: User, viewer: Viewer, id: string) =>
    removeCredential(store().database, toRequester({ ...user, sessionId: viewer.id }), id);

  test("is shown in the account's other browsers until the keys that the sign-in added are removed", async () => {
    const { viewer, ...user } = await viewing();
    const thief = await signIn(user);
    const key = newKey();
    const credentialId = await addKey(user, thief.sessionId, key);
    await createRecoveryCodes(store().database, { ...user, sessionId: thief.sessionId });
    await record(user.userId, thief.sessionId, "api_key_created", "Theirs");
    expect(await list(viewer)).toEqual([]);
    await undo(user, thief.login);
    const [undone] = await list(viewer);
    expect(undone?.left).toEqual([
      { kind: "credential_added", credential: key, subject: null, credentialId },
      { kind: "recovery_codes_made", credential: null, subject: null, credentialId: null },
      { kind: "api_key_created", credential: null, subject: "Theirs", credentialId: null },
    ]);
    await removeKey(user, viewer, credentialId);
    await createRecoveryCodes(store().database, { ...user, sessionId: viewer.id });
    expect((await list(viewer))[0]?.left).toMatchObject([{ subject: "Theirs" }]);
    await record(user.userId, viewer.id, "api_key_revoked", "Theirs");
    expect(await list(viewer)).toEqual([]);
  });

  test("lists the changes that were approved after the sign-in, but no earlier changes", async () => {
    const { viewer, ...user } = await viewing();
    const ownSession = await signIn(user);
    await addKey(user, ownSession.sessionId);
    // The user approved a relayed code: the approval replaced the user's own session, but the user did not intend this
    // sign-in.
    const thief = await signIn(user, ownSession.sessionId);
    const next = await signIn(user, thief.sessionId);
    const credentialId = await addKey(user, next.sessionId);
    await store().query("DELETE FROM browser_session WHERE id = $1", [next.sessionId]);
    await undo(user, thief.login);
    expect((await list(viewer)).map(({ left }) => left.map((change) => change.credentialId))).toEqual([
      [credentialId],
    ]);
  });

  test("is shown even if the added key's holder has accepted the account", async () => {
    const { viewer, ...user } = await viewing();
    const thief = await signIn(user);
    const key = newKey();
    const credentialId = await addKey(user, thief.sessionId, key);
    await store().redeem(await store().answerLogin({ key }), { holderConfirms: true });
    await undo(user, thief.login);
    expect((await list(viewer))[0]?.left).toMatchObject([{ credentialId }]);
  });

  test("is not shown for changes made by another browser", async () => {
    const { viewer, ...user } = await viewing();
    const [thief, other] = [await signIn(user), await signIn(user)];
    await addKey(user, other.sessionId);
    await undo(user, thief.login);
    expect(await list(viewer)).toEqual([]);
  });

  test("can be dismissed by each browser separately", async () => {
    const { viewer, ...user } = await viewing();
    const other = { id: (await signIn(user)).sessionId };
    const thief = await signIn(user);
    await addKey(user, thief.sessionId);
    await undo(user, thief.login);
    const ids = (await list(viewer)).map(({ id }) => id);
    await dismiss(viewer, ids);
    expect(await list(viewer)).toEqual([]);
    expect(await list(other)).toMatchObject([{ id: ids[0] }]);
  });
});
