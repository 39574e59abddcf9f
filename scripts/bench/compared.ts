import { join } from "node:path";
import { z } from "zod";
import { execute } from "#scripts/kit/database.ts";
import { runAdmin } from "#scripts/kit/run-admin.ts";
import type { DatabaseServer } from "../kit/database.ts";
import { NEXTAUTH_SECRET } from "../kit/start-app.ts";
import { type RunningServer, startServer } from "../kit/start-server.ts";
import type { TestWallet } from "../kit/test-wallet.ts";
import { registeredWallet, startBenchApp } from "./app.ts";
import { buildFloor, startFloor } from "./floor.ts";
import { installPeer, PEERS } from "./peers.ts";

/** A clone of this application that runs, with a wallet that has an account in it. */
export type RunningApp = {
  name: string;
  server: RunningServer;
  databaseUrl: string;
  wallet: TestWallet;
  /** A customer of its hosted API, made when first asked for. */
  tenant: () => Promise<Tenant>;
};
export type RunningPeer = {
  name: string;
  server: RunningServer;
  /** Whether PostgreSQL works for it. */
  inDatabase: boolean;
  logIn: () => Promise<void>;
};

/** Everything that is compared, running. */
export type Compared = {
  /** This clone first, then the one it is held against and this one on a full database, if asked for. */
  apps: readonly [RunningApp, ...RunningApp[]];
  /** The least that the same login can cost (limit/server.ts). */
  limit: Pick<RunningApp, "server" | "wallet">;
  floor: RunningServer;
  peers: readonly RunningPeer[];
  database: DatabaseServer;
  stop(): Promise<void>;
};

/**
 * Starts the servers that are compared, each on a database of its own.
 * @param against another clone of the application, built, or null
 * @param rows starts this clone once more on a database that holds so many users, or not when 0
 * @param withPeers installs (once) and starts the peers too
 */
export async function startCompared(
  root: string,
  database: DatabaseServer,
  { against, rows, withPeers }: { against: string | null; rows: number; withPeers: boolean },
): Promise<Compared> {
  const folder = join(root, ".data", "bench");
  const running: RunningServer[] = [];
  const stop = async () => void (await Promise.all(running.map((server) => server.stop())));
  const startApp = async (name: string, clone: string): Promise<RunningApp> => {
    const databaseUrl = await database.create(name.replaceAll("-", "_"));
    const server = await startBenchApp(clone, databaseUrl);
    running.push(server);
    let tenant: Promise<Tenant> | null = null;
    return {
      name,
      server,
      databaseUrl,
      wallet: await registeredWallet(server.url),
      tenant() {
        tenant ??= createTenant(clone, databaseUrl);
        return tenant;
      },
    };
  };
  try {
    const app = await startApp("this-app", root);
    const apps: [RunningApp, ...RunningApp[]] = [app];
    if (against) apps.push(await startApp("other-clone", against));
    if (rows > 0) {
      const full = await startApp("with-rows", root);
      await fillRows(full.databaseUrl, rows);
      apps.push(full);
    }
    const limitServer = await startLimit(root, await database.create("login_limit"));
    running.push(limitServer);
    const limit = { server: limitServer, wallet: await registeredWallet(limitServer.url) };
    const floor = await startFloor(root, await buildFloor(root), app.databaseUrl);
    running.push(floor);
    const peers: RunningPeer[] = [];
    for (const peer of withPeers ? PEERS : []) {
      const home = join(folder, peer.name);
      await installPeer(peer, home);
      const startPeer = async (name: string, databaseUrl: string | null) => {
        const started = await peer.start(home, databaseUrl);
        running.push(started.server);
        peers.push({ name, inDatabase: databaseUrl !== null, ...started });
      };
      await startPeer(peer.name, await database.create(peer.name.replaceAll("-", "_")));
      if (peer.hasMemoryStore) await startPeer(`${peer.name}, in memory`, null);
    }
    return { apps, limit, floor, peers, database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the limit, which answers at the application's own addresses (limit/server.ts), on an empty database. */
function startLimit(root: string, databaseUrl: string): Promise<RunningServer> {
  return startServer({
    args: [join(import.meta.dirname, "limit", "server.ts")],
    cwd: root,
    ready: { path: "/" },
    env: () => ({ DATABASE_URL: databaseUrl, NEXTAUTH_SECRET }),
  });
}

/** A customer's key and domain of the hosted API. */
export type Tenant = { apiKey: string; domain: string };

const Key = z.object({ key: z.string() });
const DOMAIN = "bench.example";

/**
 * Makes a live API key and a verified domain with the operator's command line of a clone.
 * @param root the clone
 */
async function createTenant(root: string, databaseUrl: string): Promise<Tenant> {
  const admin = async (...args: string[]) =>
    (await runAdmin({ DATABASE_URL: databaseUrl }, [...args, "--mode", "live", "--json"], root)).json();
  const { key } = Key.parse(await admin("api-key", "create", "--name", "bench"));
  await admin("domain", "trust", DOMAIN);
  return { apiKey: key, domain: DOMAIN };
}

/** The rows of a service after a while: so many users and login sessions, and ten log entries for each. */
async function fillRows(databaseUrl: string, count: number): Promise<void> {
  const each = `generate_series(1, ${count}) AS n`;
  await execute(
    databaseUrl,
    "SET synchronous_commit = off",
    `INSERT INTO user_account (id, created_at) SELECT 1000 + n, now() FROM ${each}`,
    `INSERT INTO credential (id, user_id, kind, value, created_at)
     SELECT gen_random_uuid(), 1000 + n, 'public_key', '04' || repeat(md5(n::text), 4), now() FROM ${each}`,
    `INSERT INTO login_session
       (sid, flow, browser_hash, status, created_at, challenged_at, authenticated_at, redeemed_at, user_id, credential)
     SELECT 'bench' || md5(n::text), 'login', sha256(n::text::bytea), 'authenticated', now(), now(), now(), now(),
       1000 + n, '04' || repeat(md5(n::text), 4) FROM ${each}`,
    `INSERT INTO challenge (text, sid, issued_at, spent_at)
     SELECT 'svc:login:localhost:0:' || md5(n::text), 'bench' || md5(n::text), now(), now() FROM ${each}`,
    `INSERT INTO browser_session (id, user_id, credential, created_at, last_seen_at, expires_at)
     SELECT gen_random_uuid(), 1000 + n, '04' || repeat(md5(n::text), 4), now(), now(), now() + interval '7 days'
     FROM ${each}`,
    `INSERT INTO login_event (at, kind, sid, user_id)
     SELECT now() - make_interval(secs => line * 1000), 'delivered', 'bench' || md5(n::text), 1000 + n
     FROM ${each}, generate_series(1, 10) AS line`,
    "SELECT setval('user_account_id_seq', (SELECT max(id) FROM user_account))",
    "VACUUM ANALYZE",
    // Otherwise it would be written to disk while other servers are measured.
    "CHECKPOINT",
  );
}
