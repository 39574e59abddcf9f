import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { type Database, pgDatabase, retryOnConflict } from "#packages/login/database/database.ts";
import { findAndSpendChallenge } from "#packages/login/server/accept-response.ts";
import { type CodeIntent, issueChallenge } from "#packages/login/server/issue-login.ts";
import {
  getRedemptionFunction,
  type Redemption,
  type RedemptionFunction,
  redeemLogin,
} from "#packages/login/server/redeem-login.ts";
import type { TestDatabase } from "#tools/kit/database.ts";
import { createMigratedDatabase } from "./test-apps.ts";

/** In a separate database, without a server, signatures or cookies. */
export function startLoginStore(): () => LoginStore {
  let database: TestDatabase;
  let store: LoginStore;
  beforeAll(async () => {
    database = await createMigratedDatabase();
    store = new LoginStore(database.url);
  });
  afterAll(async () => {
    await store?.pool.end();
    await database?.close();
  });
  return () => store;
}

export type Issued = { sid: string; challenge: string; browserHash: Uint8Array };

export const newHash = () => randomBytes(32);
/** The statements do not validate keys. */
export const newKey = () => `04${randomBytes(64).toString("hex")}`;
/** `seconds` can be negative. */
export const inSeconds = (seconds: number, from = new Date()) => new Date(from.getTime() + seconds * 1000);

type LoginRow = {
  status: string;
  user_id: number | null;
  credential: string | null;
  redeemed_at: Date | null;
};

export class LoginStore {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly database: Database;

  constructor(url: string) {
    this.url = url;
    this.pool = new pg.Pool({ connectionString: url, max: 20 });
    // The database is dropped while these connections are still closing.
    this.pool.on("error", () => {});
    this.database = pgDatabase(this.pool);
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, values)).rows;
  }

  /** With `sid`, continues that login. */
  async issue({
    at = new Date(),
    browserHash = newHash(),
    flow = "login",
    intent = null,
    sid = null,
  }: {
    at?: Date;
    browserHash?: Uint8Array;
    flow?: "login" | "fast";
    intent?: CodeIntent | null;
    sid?: string | null;
  } = {}): Promise<Issued> {
    const challenge = randomUUID();
    const issuedChallenge = await issueChallenge(this.database, {
      now: at,
      flow: { name: flow, challengesKept: null, endsWhenAnswered: false },
      ...{ challenge, sid, newSid: randomUUID(), browserHash, newBrowserHash: browserHash, intent },
      browser: { userAgent: "Firefox/1", network: null, knownBrowserHash: null },
    });
    return { sid: issuedChallenge.sid, challenge, browserHash };
  }

  /** Answers a challenge. `signer` is the key that signed the response, or null for an unsigned response. */
  answer(
    challenge: string,
    signer: string | null,
    {
      registers = false,
      at = new Date(),
      showed,
      undoHash = newHash(),
    }: { registers?: boolean; at?: Date; showed?: string | null; undoHash?: Uint8Array } = {},
  ) {
    return retryOnConflict(() =>
      findAndSpendChallenge(this.database, {
        ...{ now: at, challenge, signer, registers, signedAt: 1_700_000_000, showed, undoHash },
        deviceInfo: { platform: "ios", version: "1.2.3", device_id: "device-1" },
      }),
    );
  }

  /** Redeems a login, by default in the browser to which the code was issued. */
  redeem(
    login: Issued,
    {
      logins = getRedemptionFunction("login"),
      ...changes
    }: Partial<Redemption> & { logins?: RedemptionFunction } = {},
  ) {
    const now = changes.now ?? new Date();
    return redeemLogin(this.database, logins, {
      ...{ now, sid: login.sid, browserHash: login.browserHash, browserSessionId: randomUUID() },
      ...{
        expiresAt: inSeconds(3600, now),
        userAgent: "Firefox",
        currentSessionId: null,
        holderConfirms: false,
      },
      ...changes,
    });
  }

  async newUser(key = newKey()): Promise<{ key: string; userId: number }> {
    const { challenge } = await this.issue();
    await this.answer(challenge, key, { registers: true });
    const [row] = await this.query<{ user_id: number }>("SELECT user_id FROM credential WHERE value = $1", [
      key,
    ]);
    if (!row) throw new Error("the key was not registered");
    return { key, userId: row.user_id };
  }

  /** The browser is not signed in yet. */
  async answerLogin(user: { key: string }, how: Parameters<LoginStore["issue"]>[0] = {}): Promise<Issued> {
    const issued = await this.issue(how);
    const answer = await this.answer(issued.challenge, user.key, how.at ? { at: how.at } : {});
    if (!answer?.spent) throw new Error("the login was not answered");
    return issued;
  }

  async openSession(user: { key: string }): Promise<{ sessionId: string }> {
    const sessionId = randomUUID();
    const outcome = await this.redeem(await this.answerLogin(user), { browserSessionId: sessionId });
    if (outcome === null || outcome === "unconfirmed") throw new Error(`signed in: ${outcome}`);
    return { sessionId };
  }

  async readLogin(sid: string): Promise<LoginRow> {
    const [row] = await this.query<LoginRow>("SELECT * FROM login_session WHERE sid = $1", [sid]);
    if (!row) throw new Error(`there is no login ${sid}`);
    return row;
  }

  /** Only notifications about logins, while `act` runs. */
  async collectNotifications(act: () => Promise<unknown>): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: this.url });
    const notifications: unknown[] = [];
    client.on("notification", ({ payload }) => notifications.push(JSON.parse(payload ?? "null")));
    await client.connect();
    await client.query("LISTEN login_session");
    await act();
    // Notifications arrive before the response to the next statement.
    await client.query("SELECT 1");
    await client.end();
    return notifications;
  }

  listSessions(userId: number) {
    return this.query("SELECT * FROM browser_session WHERE user_id = $1 ORDER BY created_at", [userId]);
  }
}
