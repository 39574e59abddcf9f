import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { execute } from "../../kit/database.ts";
import type { Cluster } from "./cluster.ts";
import type { Machine } from "./machine.ts";

const PAUSE_MS = 50;
/** A write that waits for a standby is answered when one follows; to ask again would be later. */
const ANSWER_MS = 15_000;
const CONNECT_MS = 500;
const GIVEN_UP_MS = 120_000;

/** Makes the table that {@link firstWrite} writes to. */
export async function prepareProbe(cluster: Cluster): Promise<void> {
  await execute(
    cluster.databaseUrl,
    "CREATE SCHEMA probe",
    "CREATE TABLE probe.write (at timestamptz NOT NULL DEFAULT now())",
  );
}

/**
 * When (performance.now()) the cluster first acknowledges a write again, asked at its machines, without HAProxy and
 * without the application.
 */
export async function firstWrite(cluster: Cluster, except: Machine): Promise<number> {
  const until = performance.now() + GIVEN_UP_MS;
  let first: number | null = null;
  const ask = async (machine: Machine): Promise<void> => {
    while (first === null && performance.now() < until) {
      if (await writes(cluster.urlOf(machine))) first ??= performance.now();
      else await sleep(PAUSE_MS);
    }
  };
  await Promise.race(cluster.machines.filter((machine) => machine !== except).map(ask));
  if (first === null) throw new Error(`no write within ${GIVEN_UP_MS / 1000} s${cluster.logs()}`);
  return first;
}

async function writes(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("INSERT INTO probe.write DEFAULT VALUES");
    return true;
  } catch {
    return false;
  } finally {
    client.end().catch(() => {});
  }
}
