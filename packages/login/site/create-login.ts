import { isDatabaseUnavailable } from "../database/database-error.ts";
import { databaseWait, withDatabaseWait, withinWait } from "../database/database-wait.ts";
import { followShell } from "../process/follow-shell.ts";
import { processSingleton } from "../process/state.ts";
import { ADDED_KEY_PAGES } from "../protocol/paths.ts";
import { currentSession } from "../server/session-token.ts";
import type { SentHeaders, WebRequest } from "../server/web-request.ts";
import type { BrowserSession, SessionsEnd } from "../store/browser-session.ts";
import { prune } from "../store/prune.ts";
import { accountRoutes } from "./account-routes.ts";
import { addedKeyRoute } from "./added-key.ts";
import { answerAuth } from "./answer-auth.ts";
import {
  answerLogin,
  type LoginKind,
  type Routes,
  renderer,
  requestIdOf,
  withHeaders,
} from "./answer-login.ts";
import { ConfigurationError } from "./env-values.ts";
import { loginRoutes } from "./login-routes.ts";
import { isWithinLimit, type OwnLimit } from "./own-limit.ts";
import { type OwnNextAuth, ownNextAuth } from "./own-next-auth.ts";
import { assertNode } from "./read-login-env.ts";
import { recoveryRoutes } from "./recovery-routes.ts";
import { openSite, repeat, runCall, runForSite } from "./runtime.ts";
import { endSiteSession, redeem, signIn } from "./sign-in.ts";
import { type CommonOptions, type LoginOptions, type Site, writeFailure } from "./site.ts";
import { type SiteAccount, siteAccount } from "./site-account.ts";
import { recoveryRules, type SiteRecovery, settleRecoveries, siteRecovery } from "./site-recovery.ts";
import { sessionsAreOfLogin, sessionsAreOfSite } from "./site-sessions.ts";
import { assertOwnUsers, type FindOrCreateUser } from "./site-users.ts";

/** A `Request` is a `WebRequest` to us, but not to the types of every site. */
type RouteHandler = (request: Request | WebRequest) => Promise<Response>;

/** A login, as a Next.js site uses it. `UserId` is the login's number, or the site's own id (`findOrCreateUser`). */
export type Login<UserId extends number | string = number> = BaseLogin<UserId> &
  (UserId extends string ? LoginWithOwnUsers<UserId> : unknown);

type BaseLogin<UserId> = {
  /**
   * For `app/webhook/[...path]/route.ts` and `app/api/svc/[...path]/route.ts`; with recovery, for
   * `app/api/account/[...path]/route.ts` and `app/api/recovery/route.ts` too.
   */
  routes: Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", RouteHandler>;
  /** NextAuth, for `app/api/auth/[...nextauth]/route.ts`. */
  auth: Record<"GET" | "POST", RouteHandler>;
  /**
   * The signed-in browser that sends these headers, or null.
   * @throws {Refusal} 503 `service_unavailable` when the database or `findOrCreateUser` cannot be asked
   */
  currentSession(headers: SentHeaders): Promise<SiteSession<UserId> | null>;
  /** Recovery, for the pages that show it. */
  recovery: SiteRecovery<UserId>;
  /** What pages show of the signed-in user's account; it is changed by the functions of `@svc/login/account`. */
  account: SiteAccount;
  /**
   * Counts a request of a page or an action of yours by its client's address, across processes, as the login counts
   * its own.
   * @returns whether the client is within the limit
   * @throws {Refusal} 400 if the client is not known
   */
  isWithinLimit(headers: SentHeaders, limit: OwnLimit): Promise<boolean>;
  /**
   * Deletes what has ended, and puts due recoveries into effect. A process does this by itself every five minutes: call
   * it on hosts where no process lives that long.
   */
  prune(): Promise<void>;
  /** The domain in every challenge. */
  domain(): Promise<string>;
  /**
   * Sets the login up when the server starts, for `instrumentation.ts`; otherwise the first request does. Ends the
   * process, with the reason, when the configuration is wrong or Node.js too old.
   */
  start(): Promise<void>;
};

/**
 * Gives a wallet's user a session such as users of other sign-ins have. Needs `findOrCreateUser`, because the login's
 * own numbers could be ids of those users.
 */
type LoginWithOwnUsers<UserId> = {
  /** For a site whose NextAuth has options of its own, instead of `auth`. */
  readonly nextAuth: OwnNextAuth;
  /**
   * For sites with sessions of another library: redeems an answered login, once, for the browser that started it
   * (docs/protocol.md#42-redemption).
   * @param headers the request's
   * @returns the user to sign in; null, without the reason, when there is nothing for this browser to redeem
   * @throws {Refusal} 503 as `currentSession`; the login can be redeemed again
   */
  redeem(headers: SentHeaders, sid: string): Promise<{ userId: UserId; browserSessionId: string } | null>;
};

/** A signed-in browser, with the id of its user. */
export type SiteSession<UserId> = Omit<BrowserSession, "userId"> & { userId: UserId };

/** A further kind of login, for a site that has several. */
export type KindOf = (site: Site) => LoginKind;
/** A site that is set up, and its kind of login. */
export type Opened<Kind extends LoginKind> = { site: Site; kind: Kind };

const FINISH_EVERY_MS = 60_000;
const PRUNE_EVERY_MS = 5 * 60_000;

/** Checks the set-up of a site. @throws {ConfigurationError} with what to do */
type Requirement = (options: Pick<LoginOptions, "findOrCreateUser">) => void;

type Kept = {
  opened: Promise<Opened<LoginKind>> | null;
  /** The result of `opened`, once it is there. */
  found: Opened<LoginKind> | null;
  /** What the site's own NextAuth needs, if it has one. */
  requirements: Set<Requirement>;
};
const kept = processSingleton<Kept>("site", () => ({ opened: null, found: null, requirements: new Set() }));

/**
 * The login of a site. It is set up once per process: at the start, or at the first request.
 * @param setUp says what the login works with; without `findOrCreateUser` there is neither `nextAuth` nor `redeem`
 * @param others further kinds of login
 */
export function createLogin(
  setUp: () => Promise<LoginOptions & { findOrCreateUser: FindOrCreateUser }>,
  ...others: KindOf[]
): Login<string>;
export function createLogin(
  setUp: () => Promise<LoginOptions & { findOrCreateUser?: undefined }>,
  ...others: KindOf[]
): Login;
export function createLogin(setUp: () => Promise<LoginOptions>, ...others: KindOf[]): Login<number | string> {
  const { opened, ...login } = mountLogin(setUp, (site, options) => joinKinds(site, options, others));
  const openedSite = async () => (await opened()).site;
  const siteWithUsers = async () => {
    const site = await openedSite();
    assertOwnUsers(site);
    return site;
  };
  const runWithSite = <Value>(act: (site: Site) => Promise<Value>) =>
    runForSite(async () => act(await openedSite()));
  const nextAuth = ownNextAuth(siteWithUsers, (problem) =>
    requireOfSite(() => {
      throw new ConfigurationError(problem);
    }),
  );
  const mounted = {
    ...login,
    recovery: siteRecovery(runWithSite),
    account: siteAccount(runWithSite),
    redeem(headers: SentHeaders, sid: string) {
      sessionsAreOfSite();
      return runForSite(async () => redeem(await siteWithUsers(), headers, sid));
    },
  };
  // Not enumerable, so that copying the login does not ask for it.
  return Object.defineProperty(mounted, "nextAuth", {
    get() {
      sessionsAreOfLogin();
      requireOfSite(assertOwnUsers);
      return nextAuth;
    },
  }) as typeof mounted & LoginWithOwnUsers<number | string>;
}

/** The login of a site with codes of its own, and recovery for users who have lost their wallet. */
function siteKind(site: Site, { onUndone }: LoginOptions, others: readonly LoginKind[]): LoginKind {
  const { onEvent } = recoveryRules(site);
  const settle = () => settleRecoveries(site);
  if (!site.isGuarded) repeat(FINISH_EVERY_MS, settle, site.onFailure, "recoveries were not finished");
  const login = loginRoutes(site, {
    others: others.flatMap(({ undo }) => undo ?? []),
    onRecoveryCancelled: (userId) => onEvent({ kind: "recovery_cancelled", userId }),
    onUndone: (login) => endSiteSession(site, onUndone, login),
  });
  const flows = { svc: site.users.flow };
  // A site with users of its own may use another library's sessions, or keep more in those of its own NextAuth.
  const direct: Routes = site.findOrCreateUser
    ? {}
    : { "/api/svc/sign-in": { methods: ["POST"], handle: (call) => signIn(site, flows.svc, call) } };
  return {
    routes: { ...login, ...recoveryRoutes(site), ...direct },
    ...{ flows, prune: settle },
  };
}

/** The site's own login and others alongside it; a key's holder is asked the same question in each. */
function joinKinds(site: Site, options: LoginOptions, others: readonly KindOf[]): LoginKind {
  const beside = others.map((kindOf) => kindOf(site));
  const kinds = [siteKind(site, options, beside), ...beside];
  const flows = Object.assign({}, ...kinds.map((kind) => kind.flows)) as LoginKind["flows"];
  const addedKey = { [ADDED_KEY_PAGES.plain]: addedKeyRoute(site, Object.values(flows)) };
  const forget = async (end: SessionsEnd) => {
    for (const kind of kinds) await kind.forget?.(end);
  };
  const pruneKinds = async () => {
    for (const kind of kinds) await kind.prune?.();
  };
  const account = accountRoutes(site, forget);
  return {
    routes: Object.assign({}, ...kinds.map((kind) => kind.routes), addedKey, account) as Routes,
    ...{ flows, prune: pruneKinds, forget },
  };
}

/** What every kind of login has: endpoints of its own, NextAuth, and its sessions. */
export function mountLogin<Options extends CommonOptions, Kind extends LoginKind>(
  setUp: () => Promise<Options>,
  kindOf: (site: Site, options: Options) => Kind,
): Omit<Login<number | string>, "recovery" | "account"> & { opened(): Promise<Opened<Kind>> } {
  const open = async (): Promise<Opened<Kind>> => {
    assertNode(process.versions.node);
    const options = await setUp();
    for (const requirement of kept().requirements) requirement(options);
    const site = await openSite(options);
    const opened = { site, kind: kindOf(site, options) };
    if (!site.isGuarded) {
      repeat(PRUNE_EVERY_MS, () => pruneAll(opened), site.onFailure, "what has ended was not deleted");
    }
    kept().found = opened;
    return opened;
  };
  const openOnce = (): Promise<Opened<Kind>> => {
    // If this fails, the next request tries again.
    kept().opened ??= withDatabaseWait(undefined, open).catch((error) => {
      kept().opened = null;
      throw error;
    });
    return kept().opened as Promise<Opened<Kind>>;
  };
  // A request does not wait for the set-up longer than for anything else.
  const opened = async () => (kept().found as Opened<Kind> | null) ?? withinWait(openOnce);
  const answer =
    (act: (opened: Opened<LoginKind>, request: WebRequest) => Promise<Response>): RouteHandler =>
    (request) => {
      const { found } = kept();
      if (found && databaseWait()) return act(found, request);
      return runCall(async () => {
        const site = await opened().catch((error: unknown) => answerWithoutSite(request, error));
        return site instanceof Response ? site : act(site, request);
      });
    };
  const route = answer(({ site, kind }, request) => answerLogin(site, kind.routes, request));
  const auth = answer(({ site, kind }, request) => answerAuth(site, kind, request));
  return {
    opened,
    routes: {
      ...{ GET: route, HEAD: route, POST: route, PUT: route },
      ...{ PATCH: route, DELETE: route, OPTIONS: route },
    },
    auth: {
      get GET() {
        sessionsAreOfLogin();
        return auth;
      },
      get POST() {
        sessionsAreOfLogin();
        return auth;
      },
    },
    currentSession: (headers) =>
      runForSite(async () => {
        const { core, users } = (await opened()).site;
        const session = await currentSession(core, headers);
        const userId = session && (await users.ofSession(session));
        return session && userId !== null ? { ...session, userId } : null;
      }),
    isWithinLimit: (headers, limit) =>
      runForSite(async () => isWithinLimit((await opened()).site, headers, limit)),
    prune: () => runForSite(async () => pruneAll(await opened())),
    domain: () => runForSite(async () => (await opened()).site.core.origin.hostname),
    async start() {
      followShell();
      await openOnce().catch((error: unknown) => {
        // The next request sets it up, and gets 503 until that works. If this threw, the framework would answer 500.
        if (isDatabaseUnavailable(error)) return sayDatabaseIsAway(error);
        stopIfMisconfigured(error);
      });
    },
  };
}

/** Deletes what has ended. */
async function pruneAll({ site: { core }, kind }: Opened<LoginKind>): Promise<void> {
  await prune(core.database, core.now());
  await kind.prune?.();
}

/** Without a stack, because this is the first text that people see when they start a site with a wrong setting. */
function sayDatabaseIsAway(error: unknown): void {
  const reason = error instanceof Error && error.message ? error.message : String(error);
  process.stderr.write(
    `The database cannot be used: ${reason}. Is DATABASE_URL right? Requests are answered 503 until it can.\n`,
  );
}

/** Ends the process: the framework would go on, and answer every request with a 500. */
function stopIfMisconfigured(error: unknown, what = "Not started"): void {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${what}:\n${error.message}\n`);
  process.exit(1);
}

/** The framework may load a site's own NextAuth options before the start or after it. */
function requireOfSite(requirement: Requirement): void {
  const { requirements, opened } = kept();
  requirements.add(requirement);
  const check = ({ site }: Opened<LoginKind>) => {
    try {
      requirement(site);
    } catch (error) {
      stopIfMisconfigured(error, "Stopped");
    }
  };
  void opened?.then(check, () => {});
}

/** The answer while the login is not set up: 503 when that takes long or the database is away. */
function answerWithoutSite(request: WebRequest, error: unknown): Response {
  const requestId = requestIdOf(request);
  const answer = renderer({ onFailure: writeFailure }, requestId)(error);
  return withHeaders(answer, { requestId, kind: "api", secure: false });
}
