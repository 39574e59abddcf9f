import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import { isPostmasterOf, readPostmaster } from "./postmaster.ts";
import { ROLE } from "./server-process.ts";

/** Every PostgreSQL server has this database. */
const MAINTENANCE_DATABASE = "postgres";
const POLL_MS = 30;
const JOIN_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;

export function passwordFile(root: string): string {
  return join(root, "postgres-password");
}

export function formatDatabaseUrl(root: string, port: number, database: string = ROLE): string {
  return `postgresql://${ROLE}:${readFileSync(passwordFile(root), "utf8")}@127.0.0.1:${port}/${database}`;
}

/** By default, connects to the database that every server has. */
export async function connect(
  root: string,
  port: number,
  { database = MAINTENANCE_DATABASE, name }: { database?: string; name?: string } = {},
): Promise<Client> {
  const client = new Client({
    connectionString: formatDatabaseUrl(root, port, database),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: name,
  });
  // Without a listener, a connection that breaks while idle would end the process. The next query on it fails anyway.
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Waits while a server is starting or stopping. */
export async function findRunning(root: string, data: string): Promise<number | undefined> {
  const deadline = Date.now() + JOIN_TIMEOUT_MS;
  for (;;) {
    const postmaster = readPostmaster(data);
    if (!postmaster) return undefined;
    const { pid, port } = postmaster;
    const answer = port === undefined ? undefined : await askServer(root, port, data);
    if (answer === "ours") return port;
    if (answer === "another's" || !isPostmasterOf(data, pid)) return undefined;
    if (isWrongPassword(answer)) throw new Error(passwordRefusedMessage(data));
    if (Date.now() > deadline)
      throw new Error(`The embedded PostgreSQL (process ${pid}) runs and does not answer.`);
    await sleep(POLL_MS);
  }
}

/** "ours", "another's", or the error from connecting. */
async function askServer(root: string, port: number, data: string): Promise<unknown> {
  const client = await connect(root, port).catch((error: unknown) => error);
  if (!(client instanceof Client)) return client;
  const isOurs = await servesFolder(client, data);
  await client.end();
  return isOurs ? "ours" : "another's";
}

export function isWrongPassword(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "28P01";
}

export function passwordRefusedMessage(data: string): string {
  return `The password kept for the embedded database is not that of ${data}. Put the right one back, or remove both.`;
}

/**
 * A copied folder contains the port number of the original's server, which does not use the copy. If the folder was
 * moved while its server was running, that server still uses it.
 */
async function servesFolder(client: Client, data: string): Promise<boolean> {
  const { rows } = await client.query<{ data_directory: string }>("show data_directory");
  const served = statSync(rows[0]?.data_directory ?? "", { throwIfNoEntry: false });
  return served === undefined || served.ino === statSync(data).ino;
}
