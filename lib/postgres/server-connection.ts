/**
 * Connections to the embedded server, and what it is asked about itself.
 */
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, DatabaseError } from "pg";

/** The only role, and the name of the application's database. */
export const ROLE = "svc_login";
/** The database that always exists. */
export const MAINTENANCE_DATABASE = "postgres";

const POLL_MS = 30;
const CONNECT_TIMEOUT_MS = 10_000;
/** A server takes a moment to notice that a connection was closed. */
const FAREWELL_MS = 500;

/** Opens a connection to a database of the server on that port. */
export type Connect = (port: number, database: string) => Promise<Client>;

/** Whether nobody else is connected, given a moment for those who just left. */
export async function isAlone(client: Client): Promise<boolean> {
  const deadline = Date.now() + FAREWELL_MS;
  for (;;) {
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    if (rowCount === 0) return true;
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
}

/** A connection that outlives its server's end without ending this process. */
export async function connectTo(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A connection that breaks while idle is noticed at its next use; unheard, the event would end the process.
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** A connection, or why there is none: the password, or anything that may pass. */
export async function connectOrRefusal(
  connect: Connect,
  port: number,
): Promise<Client | "password" | "unreachable"> {
  try {
    return await connect(port, MAINTENANCE_DATABASE);
  } catch (error) {
    return isWrongPassword(error) ? "password" : "unreachable";
  }
}

export function isWrongPassword(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "28P01";
}

/** The URL of one database, the password in it. */
export function urlOf(port: number, password: string, database: string): string {
  return `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${database}`;
}

/** Creates the application's database when it is not there. */
export async function createDatabase(connect: () => Promise<Client>): Promise<void> {
  const client = await connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [ROLE]);
    if (rowCount === 0) await client.query(`create database ${ROLE}`);
  } finally {
    await client.end();
  }
}

/**
 * Whether a server works on this data folder: not one that a copy of the folder brought the port number
 * of. A folder moved while its server runs stays the server's.
 */
export async function servesFolder(client: Client, data: string): Promise<boolean> {
  const { rows } = await client.query<{ data_directory: string }>("show data_directory");
  const served = statSync(rows[0]?.data_directory ?? "", { throwIfNoEntry: false });
  return served === undefined || served.ino === statSync(data).ino;
}
