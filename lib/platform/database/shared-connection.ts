import type pg from "pg";
import { DatabaseTimeoutError, DatabaseUnreachableError } from "#packages/login/database/database-error.ts";
import { withDatabaseWait, withinWait } from "#packages/login/database/database-wait.ts";
import { type PreparedStatement, sendPrepared } from "#packages/login/database/prepared-query.ts";

/** Statements that may be unanswered at one time. */
const UNANSWERED_LIMIT = 1_000;
/**
 * SQLSTATEs: PostgreSQL does not know the statement's name, since its first use failed while this one was on its way,
 * or knows it already, since several prepared it again at once. Nothing of the statement has been run.
 */
const NOT_PREPARED = ["26000", "42P05"];
const PREPARE_ATTEMPTS = 3;

/**
 * One connection for statements of many requests. Each is sent at once, and PostgreSQL runs them one after the other,
 * each in a transaction of its own (docs/decisions/0046). It is for statements that wait neither for the disk nor for
 * another's lock: one that waits holds up all others.
 */
export class SharedConnection {
  readonly #make: () => pg.Client;
  #client: pg.Client | null = null;
  #opening: Promise<pg.Client> | null = null;
  #unanswered = 0;

  /** @param make makes a connection that is not open yet, with `pipeline` and time limits of its own */
  constructor(make: () => pg.Client) {
    this.#make = make;
  }

  /**
   * Runs a statement, and opens the connection if there is none. A request that has waited long enough for the
   * database gives up by itself; only the connection's own time limit ends what other requests wait for too.
   */
  query(statement: PreparedStatement): Promise<{ rows: unknown[] }> {
    return withinWait(() => withDatabaseWait(undefined, () => this.#run(statement)));
  }

  async #run(statement: PreparedStatement): Promise<{ rows: unknown[] }> {
    if (this.#unanswered >= UNANSWERED_LIMIT) throw new DatabaseTimeoutError();
    this.#unanswered++;
    try {
      return await retryPrepared(this.#client ?? (await this.#open()), statement);
    } finally {
      this.#unanswered--;
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
    await client.connect().catch((error: Error) => {
      throw new DatabaseUnreachableError(error);
    });
    this.#client = client;
    return client;
  }

  /** Closes the connection once its statements are answered. */
  async end(): Promise<void> {
    await this.#opening?.catch(() => {});
    await this.#client?.end();
  }
}

async function retryPrepared(client: pg.Client, statement: PreparedStatement): Promise<{ rows: unknown[] }> {
  for (let attempt = 0; attempt < PREPARE_ATTEMPTS; attempt++) {
    try {
      return await sendPrepared(client, statement);
    } catch (error) {
      const { code } = Object(error);
      if (!NOT_PREPARED.includes(code)) throw error;
    }
  }
  throw new DatabaseTimeoutError();
}
