import { isDatabaseUnavailable } from "../database/database-error.ts";
import {
  getDatabaseWaitTimer,
  limitDatabaseWait,
  runWithDatabaseWaitTimer,
} from "../database/database-wait.ts";
import { processSingleton } from "../process/state.ts";
import type { BrowserSession } from "../server/browser-session.ts";
import { currentSession } from "../server/browser-session.ts";
import type { RequestHeaders } from "../server/web-request.ts";
import { answerLogin, createErrorRenderer, readRequestId, withLoginHeaders } from "./answer-login.ts";
import { siteLogin } from "./login-routes.ts";
import { ConfigurationError, type FindOrCreateUser, type LoginOptions, writeFailure } from "./options.ts";
import type {
  LoginExtensions,
  OptionsCheck,
  Plugin,
  PluginContext,
  RouteHandler,
  Routes,
  Site,
} from "./plugin.ts";
import { collectRoutes, pruneSite } from "./plugin.ts";
import { createSite, runCall, runForSite, runRepeatedly } from "./runtime.ts";
import { redeem } from "./sign-in.ts";
import { isWithinLimit, type SiteLimit } from "./site-limit.ts";
import { markSessionsManagedBySite } from "./site-sessions.ts";
import { assertFindOrCreateUser } from "./site-users.ts";

/**
 * Includes the parts that the plugins add. `UserId` is a number assigned by the login or, with `findOrCreateUser`, the
 * site's own id.
 */
export type Login<UserId extends number | string = number, Name extends string = string> = CoreLogin<UserId> &
  PartsOf<UserId, Name> &
  (UserId extends string ? LoginWithOwnUsers<UserId> : unknown);

type PartsOf<UserId, Name> = Intersection<LoginExtensions<UserId>[Name & keyof LoginExtensions<UserId>]>;
type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  part: infer All,
) => void
  ? All
  : never;

type CoreLogin<UserId> = {
  /** The request's path selects the endpoint. */
  routes: Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", RouteHandler>;
  /**
   * Null if these headers contain no session.
   * @throws {Refusal} 503 `service_unavailable` if the database or `findOrCreateUser` does not respond
   */
  currentSession(headers: RequestHeaders): Promise<SiteSession<UserId> | null>;
  /**
   * Counts requests to your pages or actions by client address and across all processes, as the login does for its own
   * requests.
   * @throws {Refusal} 400 if the client is unknown
   */
  isWithinLimit(headers: RequestHeaders, limit: SiteLimit): Promise<boolean>;
  /**
   * Deletes expired rows and completes due recoveries. Each process does this every five minutes. Call this function on
   * hosts where processes do not run that long.
   */
  prune(): Promise<void>;
  /** The domain in every challenge. */
  domain(): Promise<string>;
  /**
   * Call this function in `instrumentation.ts`. Otherwise, the first request sets up the login. If the configuration is
   * invalid or Node.js is too old, prints an error message and ends the process.
   */
  start(): Promise<void>;
};

/** Without `findOrCreateUser`, the login's own numbers could be mistaken for the ids of the site's other users. */
type LoginWithOwnUsers<UserId> = {
  /**
   * Only for the browser that started the login, and only once (docs/protocol.md#42-redemption). For sites that use
   * another library's sessions.
   * @returns the user to sign in, or null if this browser has nothing to redeem
   * @throws {Refusal} 503 as `currentSession`, in which case the login can still be redeemed
   */
  redeem(headers: RequestHeaders, sid: string): Promise<{ userId: UserId; browserSessionId: string } | null>;
};

export type SiteSession<UserId> = Omit<BrowserSession, "userId"> & { userId: UserId };

export type LoginSetUp<Plugins, Options> = {
  /** The plugins' hooks run in this order. */
  plugins: Plugins;
  /** Called once per process, when the server starts or on the first request. */
  setUp: () => Promise<Options>;
};

type NameOf<Plugins extends readonly Plugin[]> = Plugins[number]["name"];
type OwnUsers = { findOrCreateUser: FindOrCreateUser };
type NoOwnUsers = { findOrCreateUser?: undefined };

export function createLogin<const Plugins extends readonly Plugin[]>(
  setUp: LoginSetUp<Plugins, LoginOptions & OwnUsers>,
): Login<string, NameOf<Plugins>>;
export function createLogin<const Plugins extends readonly Plugin[]>(
  setUp: LoginSetUp<Plugins, LoginOptions & NoOwnUsers>,
): Login<number, NameOf<Plugins>>;
export function createLogin({ plugins, setUp }: LoginSetUp<readonly Plugin[], LoginOptions>): object {
  const { context, ...login } = mountLogin([siteLogin, ...plugins], setUp);
  return {
    ...login,
    redeem(headers: RequestHeaders, sid: string) {
      markSessionsManagedBySite();
      return context.run(async (site) => {
        assertFindOrCreateUser(site);
        return redeem(site, headers, sid);
      });
    },
  };
}

const PRUNE_EVERY_MS = 5 * 60_000;

type OpenedSite = { site: Site; routes: Routes };

/** All bundles in the process share it. */
const ofProcess = processSingleton("site", () => ({
  opening: null as Promise<OpenedSite> | null,
  opened: null as OpenedSite | null,
  requirements: new Set<OptionsCheck>(),
}));

/**
 * The site is set up once per process.
 * @throws if a plugin that another one needs is missing
 */
export function mountLogin(plugins: readonly Plugin[], setUp: () => Promise<LoginOptions>) {
  assertComplete(plugins);
  const open = async (): Promise<OpenedSite> => {
    for (const plugin of plugins) plugin.prepare?.();
    const options = await setUp();
    for (const check of ofProcess().requirements) check(options as Pick<Site, "findOrCreateUser">);
    const site = await createSite(options, plugins);
    if (!site.isGuarded) {
      runRepeatedly(PRUNE_EVERY_MS, () => pruneSite(site), site.onFailure, "expired rows were not deleted");
    }
    ofProcess().opened = { site, routes: collectRoutes(site) };
    return ofProcess().opened as OpenedSite;
  };
  const openOnce = (): Promise<OpenedSite> => {
    // After a failure, the next request tries again.
    ofProcess().opening ??= runWithDatabaseWaitTimer(undefined, open).catch((error) => {
      ofProcess().opening = null;
      throw error;
    });
    return ofProcess().opening as Promise<OpenedSite>;
  };
  // The time limit for the database also limits how long a request waits for the set-up.
  const opened = async () => ofProcess().opened ?? limitDatabaseWait(openOnce);
  const handler =
    (act: (opened: OpenedSite, request: Request) => Promise<Response>): RouteHandler =>
    (request) => {
      const ready = ofProcess().opened;
      if (ready && getDatabaseWaitTimer()) return act(ready, request);
      return runCall(async () => {
        const site = await opened().catch((error: unknown) => answerWithoutSite(request, error));
        return site instanceof Response ? site : act(site, request);
      });
    };
  const context: PluginContext = {
    site: async () => (await opened()).site,
    run: (act) => runForSite(async () => act((await opened()).site)),
    handler: (act) => handler(({ site }, request) => act(site, request)),
    require: checkRequirement,
  };
  const route = handler(({ site, routes }, request) => answerLogin(site, routes, request));
  const core: CoreLogin<number | string> = {
    routes: { GET: route, HEAD: route, POST: route, PUT: route, PATCH: route, DELETE: route, OPTIONS: route },
    currentSession: (headers) =>
      context.run(async ({ core, users }) => {
        const session = await currentSession(core, headers);
        const userId = session && (await users.ofSession(session));
        return session && userId !== null ? { ...session, userId } : null;
      }),
    isWithinLimit: (headers, limit) => context.run((site) => isWithinLimit(site, headers, limit)),
    prune: () => context.run(pruneSite),
    domain: () => context.run(async (site) => site.core.origin.hostname),
    async start() {
      await openOnce().catch((error: unknown) => {
        // The next request tries again. Requests get 503 until the set-up succeeds. If this function threw, the
        // framework would return 500.
        if (isDatabaseUnavailable(error)) return logDatabaseDown(error);
        stopIfMisconfigured(error);
      });
    },
  };
  return {
    context,
    ...core,
    ...(Object.assign({}, ...plugins.map((plugin) => plugin.extend?.(context))) as object),
  };
}

function assertComplete(plugins: readonly Plugin[]): void {
  const names = new Set(plugins.map(({ name }) => name));
  for (const { name, needs = [] } of plugins) {
    const missing = needs.find((name) => !names.has(name));
    if (missing) throw new Error(`The plugin ${name} needs the plugin ${missing}: add it to the list.`);
  }
}

/** Without a stack trace, for operators who have started a site with a wrong setting. */
function logDatabaseDown(error: unknown): void {
  const reason = error instanceof Error && error.message ? error.message : String(error);
  process.stderr.write(
    `The database cannot be used: ${reason}. Is DATABASE_URL right? Until it can be used, requests are answered with 503.\n`,
  );
}

/** The framework would otherwise keep running and answer every request with 500. */
function stopIfMisconfigured(error: unknown, what = "Not started"): void {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${what}:\n${error.message}\n`);
  process.exit(1);
}

/** The framework can load a site's NextAuth options before or after the site is set up. */
function checkRequirement(check: OptionsCheck): void {
  const { requirements, opening } = ofProcess();
  requirements.add(check);
  const checkOpened = ({ site }: OpenedSite) => {
    try {
      check(site);
    } catch (error) {
      stopIfMisconfigured(error, "Stopped");
    }
  };
  void opening?.then(checkOpened, () => {});
}

/** 503 if the set-up takes too long or the database is unreachable. */
function answerWithoutSite(request: Request, error: unknown): Response {
  const requestId = readRequestId(request);
  const answer = createErrorRenderer({ onFailure: writeFailure }, requestId)(error);
  return withLoginHeaders(answer, { requestId, kind: "api", secure: false });
}
