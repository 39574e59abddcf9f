import pg from "pg";
import { LOGIN_CHANNEL, type LoginNotification } from "../../database/database.ts";
import { destroyConnectionOnTimeout } from "../../database/time-limited-pool.ts";
import { onStopping } from "../../process/state.ts";

type Listener = (notification: LoginNotification) => void;

const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 5_000;
const RECONNECT_MS = 1_000;
/** A connection that only listens would not notice that its other end has disappeared. */
const PROBE_MS = 15_000;

// Finds changes that a waiting browser may have missed. A session leaves `pending` only once, unless its own browser
// requests a new code.
const ANSWERED = "SELECT sid FROM login_session WHERE sid = ANY($1) AND status <> 'pending'";

/**
 * A process keeps one LISTEN connection for all of its streams. While the connection is down, browsers rely on polling.
 * Once the connection is restored, a query finds the sessions that were answered in the meantime, and their listeners
 * are notified.
 */
export class LoginNotifications {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #open: () => pg.Client;
  readonly #onFailure: (error: Error) => void;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  /**
   * @param open creates a client that has its own time limits and is not connected yet
   * @param onFailure receives the error each time the client cannot connect or listen
   */
  constructor(open: () => pg.Client, onFailure: (error: Error) => void) {
    this.#open = open;
    this.#onFailure = onFailure;
  }

  get listening(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }

  subscribe(sid: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(sid) ?? new Set();
    this.#listeners.set(sid, listeners.add(listener));
    if (!this.#client && !this.#timer) this.#connect();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(sid);
    };
  }

  #connect(): void {
    if (this.#stopped) return;
    const client = this.#open();
    this.#client = client;
    const handleLoss = () => {
      if (this.#client !== client) return;
      this.#client = null;
      client.end().catch(() => {});
      this.#after(RECONNECT_MS, () => this.#connect());
    };
    client.on("error", handleLoss);
    client.on("end", handleLoss);
    client.on("notification", ({ payload }) => this.#notify(JSON.parse(payload ?? "{}")));
    this.#listen(client).catch((error: Error) => {
      if (this.#stopped) return;
      this.#onFailure(error);
      handleLoss();
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
    // The connection may have ended right after the previous result arrived.
    if (this.#client !== client) return;
    this.#after(PROBE_MS, () => {
      client.query("SELECT 1").then(
        () => this.#probe(client),
        () => client.connection.stream.destroy(),
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

  #notify(notification: LoginNotification): void {
    for (const listener of [...(this.#listeners.get(notification.sid) ?? [])]) listener(notification);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#client?.end().catch(() => {});
  }
}

/** @param onFailure receives the error each time the connection fails */
export function openLoginNotifications(
  config: pg.ClientConfig,
  onFailure: (error: Error) => void,
): LoginNotifications {
  const open = () => {
    const client = new pg.Client({ ...config, keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    destroyConnectionOnTimeout(client, ANSWER_TIMEOUT_MS);
    return client;
  };
  const notifications = new LoginNotifications(open, onFailure);
  onStopping(() => notifications.stop());
  return notifications;
}
