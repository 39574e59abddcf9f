import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import {
  connect,
  findRunning,
  formatDatabaseUrl,
  isWrongPassword,
  passwordRefusedMessage,
} from "./connection.ts";
import { leaveOnExit, leaveServer, lockFolder, type Membership } from "./leave.ts";
import { readPostmaster } from "./postmaster.ts";
import { acquireLock } from "./process-lock.mjs";
import { ROLE, start, stop } from "./server-process.ts";

type ProcessLock = Awaited<ReturnType<typeof acquireLock>>;

const RETRY_MS = 1_000;

/**
 * Holds a connection, which shows other processes that the server is in use. When the connection ends because the
 * server has ended, starts the server again.
 */
export class ServerUser {
  readonly #membership: Membership;
  readonly #log: (message: string) => void;
  readonly #callOff: () => void;
  #port: number | undefined;
  #presence: Client | undefined;
  #reviving: Promise<void> | undefined;
  #closed = false;

  /** From now on, the server ends with this process unless another process uses it. */
  constructor(membership: Membership, log: (message: string) => void) {
    this.#membership = membership;
    this.#log = log;
    this.#callOff = leaveOnExit(membership);
  }

  get url(): string {
    return formatDatabaseUrl(this.#membership.root, this.#port ?? 0);
  }

  async join(lock: ProcessLock): Promise<void> {
    const { root, server } = this.#membership;
    const running = await findRunning(root, server.place.data);
    if (running !== undefined) return this.#use(running);
    // `postmaster.pid` still exists, so the server did not stop normally.
    if (this.#port === undefined && readPostmaster(server.place.data) !== undefined)
      this.#log("The embedded PostgreSQL was killed, and recovers everything that was committed.");
    const port = await start(server, lock.include, this.#port);
    try {
      await this.#use(port);
    } catch (error) {
      await stop(server);
      throw error;
    }
  }

  async #use(port: number): Promise<void> {
    const { root, name } = this.#membership;
    if (this.#port !== undefined && port !== this.#port) {
      throw new Error(
        `The embedded PostgreSQL runs at port ${port} now, no longer ${this.#port}: start again.`,
      );
    }
    await this.#createDatabase(port);
    this.#port = port;
    this.#presence = await connect(root, port, { database: ROLE, name });
    this.#presence.once("end", () => {
      if (!this.#closed) this.#reviving = this.#revive();
    });
  }

  async #createDatabase(port: number): Promise<void> {
    const { root, server } = this.#membership;
    const client = await connect(root, port).catch((error: unknown) => {
      throw isWrongPassword(error) ? new Error(passwordRefusedMessage(server.place.data)) : error;
    });
    try {
      const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [ROLE]);
      if (rowCount === 0) await client.query(`create database ${ROLE}`);
    } finally {
      await client.end();
    }
  }

  async #revive(): Promise<void> {
    const { root, server } = this.#membership;
    let hasComplained = false;
    while (!this.#closed) {
      if (!existsSync(server.place.data))
        return this.#log(`${server.place.data} was removed while it was used.`);
      try {
        const lock = await acquireLock(lockFolder(root));
        try {
          if (this.#closed) return;
          await this.join(lock);
        } finally {
          lock.release();
        }
        return this.#log("The embedded PostgreSQL had ended, and runs again.");
      } catch (error) {
        if (!hasComplained) this.#log(error instanceof Error ? error.message : String(error));
        hasComplained = true;
        await sleep(RETRY_MS);
      }
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#reviving;
    await this.#presence?.end();
    await leaveServer(this.#membership).finally(this.#callOff);
  }
}
