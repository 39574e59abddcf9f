import "server-only";
import pg from "pg";
import { withDatabaseWait } from "#lib/core/database-wait.ts";
import { env } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";
import { giveUpSilence } from "#lib/core/patient-pool.ts";
import { processSingleton } from "#lib/core/process-singleton.ts";
import { whenStopping } from "#lib/core/shutdown.ts";

/** The channel on which PostgreSQL tells every process that a login session changed. */
export const LOGIN_CHANNEL = "login_session";

/** A change told on `LOGIN_CHANNEL`: a new status, or a delivery that was refused. */
export type LoginNotice = { sid: string; refused?: string };

type Listener = (notice: LoginNotice) => void;

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** A connection that only listens does not notice that its other end is gone: it is asked now and then. */
const PROBE_MS = 15_000;
const ANSWER_TIMEOUT_MS = 5_000;

// What a browser that waits has not been told: its own asking for a new code apart, a session leaves `pending` once.
const ANSWERED = "SELECT sid FROM login_session WHERE sid = ANY($1) AND status <> 'pending'";

/**
 * PostgreSQL's notices of changed login sessions: one LISTEN connection a process, whatever number of streams
 * wait for one. While it is down nothing is told, and the browsers' poll is enough by itself; once it is back,
 * everyone whose session was answered meanwhile is told, found by one query.
 */
class LoginNotices {
  readonly #listeners = new Map<string, Set<Listener>>();
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor() {
    whenStopping(() => this.#stop());
  }

  /** How many listeners there are. */
  get listening(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Calls `listener` with every notice of `sid` until the returned function is called. */
  subscribe(sid: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(sid) ?? new Set();
    this.#listeners.set(sid, listeners.add(listener));
    // The connection is everybody's, and does not end with the time of the request that is the first to need it.
    if (!this.#client && !this.#timer) withDatabaseWait(undefined, () => this.#connect());
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(sid);
    };
  }

  #connect(): void {
    if (this.#stopped) return;
    const client = new pg.Client({
      connectionString: env().DATABASE_DIRECT_URL,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    giveUpSilence(client, ANSWER_TIMEOUT_MS);
    this.#client = client;
    const lost = () => {
      if (this.#client !== client) return;
      this.#client = null;
      client.end().catch(() => {});
      this.#after(RECONNECT_MS, () => this.#connect());
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ payload }) => this.#tell(payload ?? ""));
    this.#listen(client).catch((error: Error) => {
      log().warn({ error: error.message }, "no notices of logins, trying again");
      lost();
    });
  }

  async #listen(client: pg.Client): Promise<void> {
    await client.connect();
    await client.query(`LISTEN ${LOGIN_CHANNEL}`);
    const { rows } = await client.query<{ sid: string }>(ANSWERED, [[...this.#listeners.keys()]]);
    for (const { sid } of rows) this.#notify({ sid });
    this.#probe(client);
  }

  #probe(client: pg.Client): void {
    this.#after(PROBE_MS, () => {
      client.query("SELECT 1").then(
        () => this.#client === client && this.#probe(client),
        () => {},
      );
    });
  }

  #after(ms: number, act: () => void): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      act();
    }, ms);
  }

  #tell(payload: string): void {
    const notice = parseNotice(payload);
    if (notice) this.#notify(notice);
  }

  #notify(notice: LoginNotice): void {
    for (const listener of [...(this.#listeners.get(notice.sid) ?? [])]) listener(notice);
  }

  #stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#client?.end().catch(() => {});
  }
}

function parseNotice(payload: string): LoginNotice | null {
  const value: unknown = JSON.parse(payload);
  if (typeof value !== "object" || value === null || !("sid" in value) || typeof value.sid !== "string")
    return null;
  return "refused" in value && typeof value.refused === "string"
    ? { sid: value.sid, refused: value.refused }
    : { sid: value.sid };
}

/** The process's notices. */
export const loginNotices = processSingleton("login-notices", () => new LoginNotices());
