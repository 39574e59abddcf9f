import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { startLoginStore } from "../../../../../e2e/support/login-store.ts";
import { generateSecret, hashSecret } from "../../../server/random.ts";
import { redeemLogin } from "../../../server/redeem-login.ts";
import { databaseStore, HOSTED_LOGIN_FLOW } from "./database-store.ts";
import { type HostedStore, memoryStore } from "./hosted-store.ts";

const NOW = new Date();
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const PUBLIC_KEY = `04${"ab".repeat(64)}`;

const logins = startLoginStore();

describe.each([
  { where: "in PostgreSQL", open: () => databaseStore(logins().database) },
  { where: "in memory", open: memoryStore },
])("the store $where", ({ open }) => {
  async function startedLogin(store: HostedStore, sid = randomUUID()) {
    const browserHash = hashSecret(generateSecret());
    await store.start({ now: NOW, sid, browserHash: null, newBrowserHash: browserHash });
    return { sid, browserHash };
  }
  const answerOf = (sid: string, eventId = `msg_${randomUUID()}`) => ({
    ...{ now: NOW, sid, eventId, publicKey: PUBLIC_KEY, authenticatedAt: NOW },
  });

  test("redeems a login only once, and only for the browser that started it", async () => {
    const store = open();
    const { sid, browserHash } = await startedLogin(store);
    const { browserHash: other } = await startedLogin(store);
    expect(await store.find(sid, browserHash)).toEqual({ authenticatedAt: null, isUndone: false });
    expect(await store.redeem({ now: NOW, sid, browserHash })).toBeNull();
    expect(await store.answer(answerOf(sid))).toBe("answered");
    expect(await store.find(sid, other)).toBeNull();
    expect(await store.redeem({ now: NOW, sid, browserHash: other })).toBeNull();
    expect(await store.find(sid, browserHash)).toEqual({ authenticatedAt: NOW, isUndone: false });
    expect(await store.redeem({ now: NOW, sid, browserHash })).toEqual({ publicKey: PUBLIC_KEY });
    expect(await store.redeem({ now: NOW, sid, browserHash })).toBeNull();
  });

  test("lets only one of twenty simultaneous redemptions succeed", async () => {
    const store = open();
    for (let round = 0; round < 5; round++) {
      const { sid, browserHash } = await startedLogin(store);
      await store.answer(answerOf(sid));
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => store.redeem({ now: NOW, sid, browserHash })),
      );
      expect(outcomes.filter(Boolean)).toEqual([{ publicKey: PUBLIC_KEY }]);
    }
  });

  test("accepts only one of several simultaneous events for one session", async () => {
    const store = open();
    for (const count of [2, 4, 8, 2, 4, 8]) {
      const { sid } = await startedLogin(store);
      const outcomes = await Promise.all(Array.from({ length: count }, () => store.answer(answerOf(sid))));
      expect(outcomes.filter((outcome) => outcome === "answered")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "repeated")).toHaveLength(count - 1);
    }
  });

  test("accepts an event id for only one of several sessions", async () => {
    const store = open();
    for (const count of [2, 4, 8, 2, 4, 8]) {
      const eventId = `msg_${randomUUID()}`;
      const logins = await Promise.all(Array.from({ length: count }, () => startedLogin(store)));
      const outcomes = await Promise.all(logins.map(({ sid }) => store.answer(answerOf(sid, eventId))));
      expect(outcomes.toSorted()).toEqual(["answered", ...Array(count - 1).fill("repeated")]);
    }
  });

  test("ignores a repeated event, even with a different key", async () => {
    const store = open();
    const { sid, browserHash } = await startedLogin(store);
    const first = answerOf(sid);
    await store.answer(first);
    expect(await store.answer(first)).toBe("repeated");
    expect(await store.answer({ ...answerOf(sid), publicKey: `04${"cd".repeat(64)}` })).toBe("repeated");
    expect(await store.redeem({ now: NOW, sid, browserHash })).toEqual({ publicKey: PUBLIC_KEY });
    expect(await store.answer(answerOf(sid))).toBe("repeated");
  });

  test("stores an event that arrives early for the browser that starts its session", async () => {
    const store = open();
    const sid = randomUUID();
    const stranger = hashSecret(generateSecret());
    expect(await store.answer(answerOf(sid))).toBe("early");
    expect(await store.redeem({ now: NOW, sid, browserHash: stranger })).toBeNull();
    const { browserHash } = await startedLogin(store, sid);
    expect(await store.redeem({ now: NOW, sid, browserHash: stranger })).toBeNull();
    expect(await store.redeem({ now: NOW, sid, browserHash })).toEqual({ publicKey: PUBLIC_KEY });
  });

  test("binds a session permanently to one browser", async () => {
    const store = open();
    const { sid, browserHash } = await startedLogin(store);
    await expect(startedLogin(store, sid)).rejects.toThrow("belongs to a browser");
    expect(await store.find(sid, browserHash)).not.toBeNull();
  });

  test("uses one secret for all tabs of a browser, but does not accept an unknown secret", async () => {
    const store = open();
    const { browserHash } = await startedLogin(store);
    const second = { now: NOW, sid: randomUUID(), browserHash, newBrowserHash: hashSecret(generateSecret()) };
    expect(await store.start(second)).toMatchObject({ keepsSecret: true });
    expect(await store.find(second.sid, browserHash)).not.toBeNull();

    const planted = hashSecret(generateSecret());
    const third = { ...second, sid: randomUUID(), browserHash: planted };
    expect(await store.start(third)).toMatchObject({ keepsSecret: false });
    expect(await store.find(third.sid, planted)).toBeNull();
    expect(await store.find(third.sid, third.newBrowserHash)).not.toBeNull();
  });

  test("allows a login to be redeemed for ten minutes after the answer", async () => {
    const store = open();
    const { sid, browserHash } = await startedLogin(store);
    await store.answer(answerOf(sid));
    expect(await store.redeem({ now: later(600), sid, browserHash })).toBeNull();
    expect(await store.redeem({ now: later(599), sid, browserHash })).not.toBeNull();
  });

  test("refuses to redeem an undone login, whichever event arrives first", async () => {
    const store = open();
    const login = await startedLogin(store);
    await store.answer(answerOf(login.sid));
    expect(await store.undo({ now: NOW, sid: login.sid })).toBe("undone");
    expect(await store.undo({ now: later(1), sid: login.sid })).toBe("repeated");
    expect(await store.find(login.sid, login.browserHash)).toMatchObject({ isUndone: true });
    expect(await store.redeem({ now: NOW, ...login })).toBeNull();

    const waiting = await startedLogin(store);
    await store.undo({ now: NOW, sid: waiting.sid });
    await store.answer(answerOf(waiting.sid));
    expect(await store.redeem({ now: NOW, ...waiting })).toBeNull();

    const sid = randomUUID();
    await store.undo({ now: NOW, sid });
    await store.answer(answerOf(sid));
    const { browserHash } = await startedLogin(store, sid);
    expect(await store.redeem({ now: NOW, sid, browserHash })).toBeNull();
  });

  test("does not redeem a login that is undone at the same time", async () => {
    const store = open();
    for (let round = 0; round < 5; round++) {
      const login = await startedLogin(store);
      await store.answer(answerOf(login.sid));
      await Promise.all([store.undo({ now: NOW, sid: login.sid }), store.redeem({ now: NOW, ...login })]);
      expect(await store.find(login.sid, login.browserHash)).toMatchObject({ isUndone: true });
      expect(await store.redeem({ now: NOW, ...login })).toBeNull();
    }
  });

  test("ends the unfinished logins of a browser that signs out, but not those of others", async () => {
    const store = open();
    const [mine, other] = [await startedLogin(store), await startedLogin(store)];
    await store.answer(answerOf(mine.sid));
    await store.forget(mine.browserHash);
    expect(await store.redeem({ now: NOW, ...mine })).toBeNull();
    expect(await store.find(other.sid, other.browserHash)).not.toBeNull();
  });

  test("deletes logins that began a day ago", async () => {
    const store = open();
    const { sid, browserHash } = await startedLogin(store);
    await store.prune(later(24 * 60 * 60));
    expect(await store.find(sid, browserHash)).not.toBeNull();
    await store.prune(later(24 * 60 * 60 + 1));
    expect(await store.find(sid, browserHash)).toBeNull();
  });
});

test("creates a user for a new key and finds the same user for a known one", async () => {
  const publicKey = `04${randomUUID().replaceAll("-", "").repeat(4)}`;
  const now = new Date();
  const store = databaseStore(logins().database);
  const redeem = async () => {
    const [sid, browserHash] = [randomUUID(), hashSecret(generateSecret())];
    await store.start({ now, sid, browserHash: null, newBrowserHash: browserHash });
    await store.answer({ now, sid, eventId: randomUUID(), publicKey, authenticatedAt: now });
    return redeemLogin(logins().database, HOSTED_LOGIN_FLOW.logins, {
      ...{ now, sid, browserHash, browserSessionId: randomUUID(), expiresAt: new Date(Date.now() + 60_000) },
      ...{ userAgent: null, currentSessionId: null, holderConfirms: false },
    });
  };
  const first = await redeem();
  expect(first).toEqual({ userId: expect.any(Number) });
  expect(await redeem()).toEqual(first);
});
