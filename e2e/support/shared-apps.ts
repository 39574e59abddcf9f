import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { createTestDatabase } from "#tools/kit/database.ts";
import { startApp } from "#tools/kit/start-app.ts";
import { listen, type RunningServer } from "#tools/kit/start-server.ts";
import type { NameAnswer, startNameServer } from "./name-server.ts";

export type AppLocation = { url: string; databaseUrl: string };

/** For sending events to receivers on this machine. */
export const createSenderVariables = (dnsServers: string) => ({
  DNS_SERVERS: dnsServers,
  WEBHOOK_ALLOW_CIDRS: "127.0.0.1/32,::1/128",
  LOG_LEVEL: "warn",
  RATE_LIMIT_SCALE: "100",
  // Nothing listens at the port of this proxy. An event that went through a proxy would fail, which must not happen.
  NODE_USE_ENV_PROXY: "1",
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
});

/** Each application starts when a test file first requests it. */
const SHARED = {
  /** Uses the database of `urls`. Its settings say that it is served over HTTPS at this URL. */
  https: { APP_URL: "https://login.example.com", SVC_QR_FORMAT: "https" },
  /** Uses the database of `urls`. All optional features are off, and the limits are too high for any test to reach. */
  switchedOff: { DEMO_WALLET: "false", FAST_AUTO_REGISTER: "false", RATE_LIMIT_SCALE: "1789569" },
  /**
   * This application and the following ones have their own databases. This one sends events to receivers on this
   * machine.
   */
  sender: createSenderVariables,
  /** Like `sender`, but with the ordinary limits and with all log lines. */
  limitedSender: (dnsServers: string) => ({
    ...createSenderVariables(dnsServers),
    RATE_LIMIT_SCALE: "1",
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: "debug",
  }),
  /** Tests lock tables in this application's database. */
  lockedTables: () => ({ TRUSTED_PROXIES: "1", LOG_LEVEL: "warn" }),
};
export type SharedApp = keyof typeof SHARED;

type Options = {
  databaseUrl: string;
  /** As for `urls`. */
  variables: Record<string, string>;
  migrated: string;
  nameServer: Awaited<ReturnType<typeof startNameServer>>;
};

/**
 * Serves the test files, which run in other processes. They request shared applications with `GET /apps/NAME` and `GET
 * /output/NAME`, and set and read the name server's data with `PUT /names/NAME` and `GET /questions/NAME`.
 */
export async function serveSharedApps({ databaseUrl, variables, migrated, nameServer }: Options) {
  await using started = new AsyncDisposableStack();
  const apps = new Map<SharedApp, Promise<RunningServer & AppLocation>>();

  async function start(name: SharedApp): Promise<RunningServer & AppLocation> {
    const settings = SHARED[name];
    if (typeof settings === "object") {
      return { ...(await startApp({ ...variables, ...settings })), databaseUrl };
    }
    const database = await createTestDatabase(migrated);
    const app = await startApp({ DATABASE_URL: database.url, ...settings(nameServer.address) });
    const stop = () => app.stop().finally(database.close);
    return { ...app, databaseUrl: database.url, stop };
  }
  const appNamed = (name: string) => {
    const shared = name as SharedApp;
    const app = apps.get(shared) ?? start(shared);
    apps.set(shared, app);
    // If the application failed to start, the next request tries again.
    app.catch(() => apps.delete(shared));
    return app;
  };
  const answers: Record<string, (name: string, body: () => Promise<unknown>) => Promise<unknown>> = {
    async apps(name) {
      const { url, databaseUrl } = await appNamed(name);
      return { url, databaseUrl };
    },
    output: async (name) => (await appNamed(name)).output(),
    async names(name, body) {
      nameServer.names.set(name, (await body()) as NameAnswer);
      return null;
    },
    questions: async (name) => nameServer.questions.filter((question) => question.endsWith(` ${name}`)),
  };
  const server = createServer((request, response) => {
    const [, what = "", name = ""] = (request.url ?? "").split("/");
    const answer = answers[what]?.(name, () => json(request)) ?? Promise.reject(new Error("no such path"));
    answer.then(
      (value) => response.end(JSON.stringify(value)),
      (error) => response.writeHead(500).end(JSON.stringify(String(error))),
    );
  });
  started.defer(async () => {
    await Promise.all([...apps.values()].map((app) => app.then(({ stop }) => stop())));
  });
  started.defer(() => void server.close());
  const port = await listen(server);
  const running = started.move();
  return { url: `http://127.0.0.1:${port}`, stop: () => running.disposeAsync() };
}
