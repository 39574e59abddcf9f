import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { listFilesBelow, runOnce } from "../../scripts/server/ensure-build.ts";
import type { DatabaseServer } from "../kit/database.ts";
import { logIn, registerWallet } from "../kit/login.ts";
import { createTenant, type Tenant } from "../kit/run-admin.ts";
import { runTool } from "../kit/run-tool.ts";
import { NEXTAUTH_SECRET, startApp } from "../kit/start-app.ts";
import { type RunningServer, startServer } from "../kit/start-server.ts";
import type { TestWallet } from "../kit/test-wallet.ts";
import { withPersonPerRun } from "./measure.ts";

export type BenchServer = {
  name: string;
  url: string;
  pid: number;
  /** Afterwards, the browser has a session. */
  logIn: () => Promise<void>;
};

/** This application, running in a clone, and a wallet that has an account there. */
export type RunningApp = BenchServer & {
  databaseUrl: string;
  wallet: TestWallet;
  /** Created at the first call. */
  tenant: () => Promise<Tenant>;
};

export type BenchServers = {
  /** This clone, and the clone that it is compared with, if there is one. */
  apps: readonly [RunningApp, ...RunningApp[]];
  /** See limit/server.ts. */
  limit: BenchServer;
  /** The framework with routes that do almost nothing (floor/): an empty route, a Prisma query and a verification. */
  floor: RunningServer;
  database: DatabaseServer;
  stop(): Promise<void>;
};

function startBenchApp(root: string, databaseUrl: string): Promise<RunningServer> {
  const variables = { DATABASE_URL: databaseUrl, TRUSTED_PROXIES: "1", RATE_LIMIT_SCALE: "100000" };
  return startApp(variables, { root, optimised: true, ready: { path: "/healthz" } });
}

/**
 * Each server has its own database.
 * @param against another built clone of the application
 */
export async function startBenchServers(
  root: string,
  database: DatabaseServer,
  against: string | undefined,
): Promise<BenchServers> {
  const running: RunningServer[] = [];
  const track = async (server: Promise<RunningServer>) => {
    running.push(await server);
    return server;
  };
  const stop = async () => void (await Promise.all(running.map((server) => server.stop())));
  const newDatabase = (name: string) => database.create(name.replaceAll("-", "_"));

  const startOne = async (name: string, clone: string): Promise<RunningApp> => {
    const databaseUrl = await newDatabase(name);
    const { url, pid } = await track(startBenchApp(clone, databaseUrl));
    let tenant: Promise<Tenant> | null = null;
    return {
      ...{ name, url, pid, databaseUrl, logIn: logInWith(url) },
      wallet: await registerWallet(url),
      tenant() {
        tenant ??= createTenant(databaseUrl, { mode: "live", root: clone });
        return tenant;
      },
    };
  };
  const startLimit = async (): Promise<BenchServer> => {
    const databaseUrl = await newDatabase("login_limit");
    const server = startServer({
      args: [join(import.meta.dirname, "limit", "server.ts")],
      cwd: root,
      ready: { path: "/" },
      env: () => ({ DATABASE_URL: databaseUrl, NEXTAUTH_SECRET }),
    });
    const { url, pid } = await track(server);
    return { name: "the limit", url, pid, logIn: logInWith(url) };
  };
  try {
    const app = await startOne("this-app", root);
    const apps: [RunningApp, ...RunningApp[]] = [app];
    if (against) apps.push(await startOne("other-clone", against));
    const limit = await startLimit();
    const floor = await track(startFloor(root, app.databaseUrl));
    return { apps, limit, floor, database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startFloor(root: string, databaseUrl: string): Promise<RunningServer> {
  const source = join(import.meta.dirname, "floor");
  const folder = join(root, ".data", "bench", "floor");
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  const files = [
    ...listFilesBelow(source, "."),
    relative(source, join(root, "node_modules", "next", "package.json")),
  ];
  await runOnce({ root: source, files, stamp: join(folder, ".next", "bench-hash") }, async () => {
    rmSync(join(folder, ".next"), { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(source, folder, { recursive: true });
    const quiet = { NODE_ENV: "production", NODE_OPTIONS: "", NEXT_TELEMETRY_DISABLED: "1" };
    await runTool(process.execPath, [next, "build"], { cwd: folder, variables: quiet });
  });
  return startServer({
    args: [next, "start"],
    cwd: folder,
    ready: { path: "/bare" },
    env: (url) => ({ NEXTAUTH_URL: url, DATABASE_URL: databaseUrl }),
  });
}

/**
 * After this many logins, a new person replaces the old one. When an account has reached its limit of 100 browser
 * sessions or 200 known browsers, a sign-in takes longer, because it ends the oldest session.
 */
const LOGINS_OF_A_PERSON = 50;

/** Concurrent logins belong to different people. */
function logInWith(url: string): () => Promise<void> {
  return withPersonPerRun(
    () => registerWallet(url),
    (wallet) => logIn(url, wallet),
    LOGINS_OF_A_PERSON,
  );
}
