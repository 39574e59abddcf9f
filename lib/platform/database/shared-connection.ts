import type pg from "pg";
import { DatabaseSilentError } from "./database-error.ts";
import { databaseWait } from "./database-wait.ts";

/**
 * One connection for statements of many requests. Each is sent at once, and PostgreSQL runs them one after the other,
 * each in a transaction of its own (docs/decisions/0046). It is for statements that wait for nothing, neither the disk
 * nor another's lock: one that waits holds up all others.
 */
export class SharedConnection {
  readonly #make: () => pg.Client;
  #client: pg.Client | null = null;
  #opening: Promise<pg.Client> | null = null;

  /** @param make makes a connection that is not open yet, with `pipeline` and time limits of its own */
  constructor(make: () => pg.Client) {
    this.#make = make;
  }

  /** Runs a statement; opens the connection, if there is none. */
  async query(statement: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }> {
    const client = this.#client ?? (await this.#opened());
    return client.query(statement);
  }

  /** Waits for the connection, and no longer than the request may wait for the database. */
  async #opened(): Promise<pg.Client> {
    const wait = databaseWait();
    if (!wait) return this.#open();
    wait.begin();
    const { promise: over, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new DatabaseSilentError()), wait.leftMs);
    try {
      return await Promise.race([this.#open(), over]);
    } finally {
      clearTimeout(timer);
      wait.end();
    }
  }

  #open(): Promise<pg.Client> {
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #connect(): Promise<pg.Client> {
    const client = this.#make();
    const forget = () => {
      if (this.#client === client) this.#client = null;
    };
    client.on("error", forget).on("end", forget);
    await client.connect();
    this.#client = client;
    return client;
  }

  /** Closes the connection once its statements are answered. */
  async end(): Promise<void> {
    await this.#client?.end();
  }
}
