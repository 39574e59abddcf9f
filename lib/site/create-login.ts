import { refusal } from "#lib/login/protocol/errors.ts";
import { ADDED_KEY_PAGES } from "#lib/login/protocol/paths.ts";
import { isSecure } from "#lib/login/server/core.ts";
import { hashSecret } from "#lib/login/server/random.ts";
import type { RedeemableFlow } from "#lib/login/server/redeem-login.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import { currentSession, type TokenClaims } from "#lib/login/server/session-token.ts";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { statement } from "#lib/login/store/database.ts";
import { withDatabaseWait, withinWait } from "#lib/platform/database/database-wait.ts";
import { ConfigurationError } from "#lib/platform/env-values.ts";
import { processSingleton } from "#lib/platform/process-singleton.ts";
import { recoveringBrowser } from "#lib/recovery/recovering-browser.ts";
import { answerAuthCall } from "#lib/sign-in/answer-auth-call.ts";
import { addedKeyRoute } from "./added-key.ts";
import {
  answerLogin,
  limitOf,
  loginRoutes,
  type Routes,
  renderer,
  requestIdOf,
  withHeaders,
} from "./answer-login.ts";
import { assertNode } from "./node-version.ts";
import { type OwnNextAuth, ownNextAuth } from "./own-next-auth.ts";
import { redeem, signOut } from "./sessions.ts";
import { signInRoute } from "./sign-in-route.ts";
import { type LoginOptions, openSite, runCall, runForSite, type Site, writeFailure } from "./site.ts";
import {
  readSiteIntent,
  recoveryRoutes,
  recoveryRules,
  runRecoveries,
  type SiteRecovery,
  siteRecovery,
} from "./site-recovery.ts";
import { assertOwnUsers, type FindOrCreateUser } from "./site-users.ts";

type RouteHandler = (request: Request) => Promise<Response>;

/** A login, as a Next.js site uses it. `UserId` is the login's number, or the site's own id (`findOrCreateUser`). */
export type Login<UserId extends number | string = number> = LoginAlone<UserId> &
  (UserId extends string ? LoginBesideOthers<UserId> : unknown);

type LoginAlone<UserId> = {
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
  /** The domain in every challenge. */
  domain(): Promise<string>;
  /**
   * Sets the login up when the server starts, for `instrumentation.ts`; otherwise the first request does. Ends the
   * process, with the reason, when the configuration is wrong or Node.js too old.
   */
  start(): Promise<void>;
};

/**
 * What gives a wallet's user a session that users of other sign-ins have too. The login's numbers could be their ids,
 * so it is for a site that gives the login its own.
 */
type LoginBesideOthers<UserId> = {
  /** For a site whose NextAuth has options of its own, instead of `auth`. */
  readonly nextAuth: OwnNextAuth;
  /**
   * For sites with sessions of another library: redeems an answered login, once, for the browser that started it
   * (docs/protocol.md#42-redemption).
   * @param headers the request's
   * @returns the user to sign in; null when there is nothing for this browser to redeem, and why is not told
   * @throws {Refusal} 503 as `currentSession`; the login can be redeemed again
   */
  redeem(headers: SentHeaders, sid: string): Promise<{ userId: UserId; browserSessionId: string } | null>;
};

/** A signed-in browser, with the id of its user. */
export type SiteSession<UserId> = Omit<BrowserSession, "userId"> & { userId: UserId };

/** What tells one kind of login from another: its endpoints, and what its provider redeems. */
export type LoginKind = {
  routes: Routes;
  /** By the names of their providers. */
  flows: Record<string, RedeemableFlow>;
  /** Ends the logins in progress of a browser that signs out, where they are not in `login_session`. */
  forget?: (browserHash: Uint8Array) => Promise<void>;
};
/** A site that is set up, and its kind of login. */
export type Opened<Kind extends LoginKind> = { site: Site; kind: Kind };

type Kept = {
  opened: Promise<Opened<LoginKind>> | null;
  /** `nextAuth` has been asked for: the site has to have users of its own. */
  besideOthers: boolean;
};
const kept = processSingleton<Kept>("site", () => ({ opened: null, besideOthers: false }));

/**
 * The login of a site. It is set up at the start, or at the first request, and kept once a process.
 * @param setUp says what the login works with; without `findOrCreateUser` there is neither `nextAuth` nor `redeem`
 */
export function createLogin(
  setUp: () => Promise<LoginOptions & { findOrCreateUser: FindOrCreateUser }>,
): Login<string>;
export function createLogin(setUp: () => Promise<LoginOptions & { findOrCreateUser?: undefined }>): Login;
export function createLogin(setUp: () => Promise<LoginOptions>): Login<number | string> {
  const { opened, ...login } = mountLogin(setUp, siteKind);
  const openedSite = async () => (await opened()).site;
  const siteWithUsers = async () => {
    const site = await openedSite();
    assertOwnUsers(site);
    return site;
  };
  const nextAuth = ownNextAuth(siteWithUsers);
  const mounted = {
    ...login,
    recovery: siteRecovery((act) => runForSite(async () => act(await openedSite()))),
    redeem: (headers: SentHeaders, sid: string) =>
      runForSite(async () => redeem(await siteWithUsers(), headers, sid)),
  };
  // To copy the login is not to ask for it: it is not enumerable.
  return Object.defineProperty(mounted, "nextAuth", {
    get() {
      // The framework loads a site's own options after the start, or before it.
      kept().besideOthers = true;
      void kept().opened?.then(stopWithoutOwnUsers, () => {});
      return nextAuth;
    },
  }) as typeof mounted & LoginBesideOthers<number | string>;
}

/** A site with codes of its own: their login, and the way back for users who have lost their wallet. */
function siteKind(site: Site): LoginKind {
  runRecoveries(site);
  const login = loginRoutes((asked, action, request) => readSiteIntent(site.core, asked, action, request));
  const flows = { svc: site.users.flow };
  // Sessions of a site with users of its own may be another library's, or hold what its own NextAuth puts there.
  const signIn: Routes = site.findOrCreateUser ? {} : { "/api/svc/sign-in": signInRoute(site, flows.svc) };
  const addedKey = { [ADDED_KEY_PAGES.plain]: addedKeyRoute(site, Object.values(flows)) };
  return { routes: { ...login, ...recoveryRoutes(site), ...addedKey, ...signIn }, flows };
}

/** What every kind of login has: endpoints of its own, NextAuth, and its sessions. */
export function mountLogin<Options extends LoginOptions, Kind extends LoginKind>(
  setUp: () => Promise<Options>,
  kindOf: (site: Site, options: Options) => Kind,
): Omit<Login<number | string>, "recovery"> & { opened(): Promise<Opened<Kind>> } {
  const open = async (): Promise<Opened<Kind>> => {
    assertNode(process.versions.node);
    const options = await setUp();
    if (kept().besideOthers) assertOwnUsers(options);
    const site = await openSite(options);
    return { site, kind: kindOf(site, options) };
  };
  const openOnce = (): Promise<Opened<Kind>> => {
    // Set up again at the next request if it failed.
    kept().opened ??= withDatabaseWait(undefined, open).catch((error) => {
      kept().opened = null;
      throw error;
    });
    return kept().opened as Promise<Opened<Kind>>;
  };
  // A request does not wait for the set-up longer than for anything else.
  const opened = () => withinWait(openOnce);
  const answer =
    (act: (opened: Opened<Kind>, request: Request) => Promise<Response>): RouteHandler =>
    (request) =>
      runCall(async () => {
        const found = await opened().catch((error: unknown) => answerWithoutSite(request, error));
        return found instanceof Response ? found : act(found, request);
      });
  const route = answer(({ site, kind }, request) => answerLogin(site, kind.routes, request));
  const auth = answer(askAuth);
  return {
    opened,
    routes: {
      ...{ GET: route, HEAD: route, POST: route, PUT: route },
      ...{ PATCH: route, DELETE: route, OPTIONS: route },
    },
    auth: { GET: auth, POST: auth },
    currentSession: (headers) =>
      runForSite(async () => {
        const { core, users } = (await opened()).site;
        const session = await currentSession(core, headers);
        const userId = session && (await users.ofSession(session));
        return session && userId !== null ? { ...session, userId } : null;
      }),
    domain: () => runForSite(async () => (await opened()).site.core.origin.hostname),
    async start() {
      await openOnce().catch((error: unknown) => stopIfMisconfigured(error));
    },
  };
}

/** Ends the process: the framework would go on, and answer every request with a 500. */
function stopIfMisconfigured(error: unknown, what = "Not started"): void {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${what}:\n${error.message}\n`);
  process.exit(1);
}

function stopWithoutOwnUsers({ site }: Opened<LoginKind>): void {
  try {
    assertOwnUsers(site);
  } catch (error) {
    stopIfMisconfigured(error, "Stopped");
  }
}

/** The answer while the login is not set up: 503 when that takes long or the database is away. */
function answerWithoutSite(request: Request, error: unknown): Response {
  const requestId = requestIdOf(request);
  const answer = renderer({ onFailure: writeFailure }, requestId)(error);
  return withHeaders(answer, { requestId, kind: "api", secure: false });
}

const ANSWERS = statement({ name: "answers", select: "SELECT 1 AS one", durable: true });

async function askAuth({ site, kind }: Opened<LoginKind>, request: Request): Promise<Response> {
  const { core, users, onFailure } = site;
  const requestId = requestIdOf(request);
  const path = new URL(request.url).pathname.split("/api/auth/")[1]?.split("/") ?? [];
  const { recovering, setCookie } = recoveringBrowser(core, request.headers, recoveryRules(site));
  const door = {
    core,
    flows: Object.fromEntries(Object.entries(kind.flows).map(([name, flow]) => [name, recovering(flow)])),
    async userIdOf({ browserSessionId: id, userId }: TokenClaims) {
      const siteId = await users.ofSession({ id, userId });
      if (siteId === null) {
        throw refusal("service_unavailable", "This session is ending. Reload the page.", {
          headers: { "Retry-After": "1" },
        });
      }
      return siteId;
    },
    log: (level: "error" | "debug", code: string, error?: unknown) => {
      if (level === "error") onFailure(`next-auth: ${code}`, error);
    },
    async signOut(session: TokenClaims | null, secret: string | null) {
      await signOut(site, session, secret);
      if (secret !== null) await kind.forget?.(hashSecret(secret));
    },
    assertDatabaseAnswers: async () => void (await core.database.run(ANSWERS, [])),
    failures: () => limitOf(site, "failed-sign-in", request),
    render: renderer(site, requestId),
  };
  const answer = await answerAuthCall(door, request, path);
  const cookie = setCookie();
  if (cookie) answer.headers.append("Set-Cookie", cookie);
  return withHeaders(answer, { requestId, kind: "api", secure: isSecure(core) });
}
