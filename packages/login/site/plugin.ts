import type { z } from "zod";
import type { EndpointCall } from "../http/call.ts";
import type { LimitName } from "../http/request-limit.ts";
import type { Action } from "../protocol/challenge.ts";
import { refusal } from "../protocol/errors.ts";
import type { SessionsToEnd } from "../server/browser-session.ts";
import type { LoginCore, SessionTokenCodec } from "../server/core.ts";
import type { CodeIntent, IntentName } from "../server/issue-login.ts";
import { pruneExpiredRows } from "../server/prune.ts";
import type { RedeemableFlow } from "../server/redeem-login.ts";
import type { MarkUndone, UndoneLogin } from "../server/undo-login.ts";
import type { RequestHeaders } from "../server/web-request.ts";
import type { FindOrCreateUser, LoginOptions, LoginRuntime, OnFailure } from "./options.ts";
import type { SiteUsers } from "./site-users.ts";

export type RouteHandler = (request: Request) => Promise<Response>;

/** A login that has been set up. */
export type Site = {
  core: LoginCore;
  users: SiteUsers;
  findOrCreateUser: FindOrCreateUser | undefined;
  runtime: LoginRuntime;
  options: LoginOptions;
  plugins: readonly Plugin[];
  /** Whether the site's own server limits and stamps requests and sets every response's headers. */
  isGuarded: boolean;
  clientAddress: LoginOptions["clientAddress"];
  limitScale: number;
  onFailure: OnFailure;
};

/**
 * A request as passed to a route's handler. The request is within its limit, unless the handler still has to count it.
 */
export type SiteCall = Pick<EndpointCall, "request" | "requestId" | "query" | "limit" | "count"> & {
  core: LoginCore;
  params: { id?: string };
  /** The client's IP address or, for an IPv6 client, its /64 network. */
  client: string;
  /**
   * Parses the JSON body with `schema`.
   * @throws {Refusal} 400, 413 or 415
   */
  body<Schema extends z.ZodType>(schema: Schema): Promise<z.infer<Schema>>;
};

export type Route = {
  methods: readonly string[];
  /** Undefined if requests are not counted or the handler itself counts them. */
  limit?: LimitName;
  /**
   * Set if the handler counts the request in its main SQL call (`SiteCall.limit`). Otherwise, the request is counted
   * before the handler runs.
   */
  countedByHandler?: true;
  /** Set if wallets post to this path from any origin. */
  wallets?: true;
  /** Set if errors are a line of text, as in the fast login (docs/protocol.md#6-fast-login). */
  plainText?: true;
  handle: (call: SiteCall) => Promise<Response>;
  /** Handles GET requests for JSON. If set, any other GET gets the page, and `handle` handles only POST requests. */
  ask?: (call: SiteCall) => Promise<Response>;
  page?: (site: Site, query: URLSearchParams) => string;
};
/** Routes by path. `:id` matches the last segment. */
export type Routes = Readonly<Record<string, Route>>;

/**
 * A feature of a login. The core consists of logins, registrations, browser sessions, the description of the browser
 * that requests a code, and undo. Plugins extend and import the core, which never imports a plugin. To remove a
 * feature, remove its plugin from the list that `createLogin` receives. A plugin's SQL functions are the `.sql` files
 * in its folder.
 */
export type Plugin<Name extends string = string> = {
  /** The plugin's name, and the plugin's key in `LoginExtensions`. */
  readonly name: Name;
  readonly needs?: readonly string[];
  /** The format of the browser sessions' tokens. Only one plugin can provide this format. */
  readonly tokens?: SessionTokenCodec;
  /**
   * Runs before the site's options are read.
   * @throws {ConfigurationError} if the login cannot run in this environment
   */
  prepare?(): void;
  /** Creates the login's runtime if the site's options do not contain one. */
  open?(options: LoginOptions): Promise<LoginRuntime>;
  routes?(site: Site): Routes;
  /**
   * The intents that the plugin supports. The function of each intent checks whether a browser may request a code with
   * this intent.
   */
  intents?(site: Site): { [Name in IntentName]?: AuthorizeCode };
  /** The flows of the logins that browsers redeem, keyed by the names of their NextAuth providers. */
  flows?(site: Site): Record<string, RedeemableFlow>;
  /**
   * Returns a step to run before a login is redeemed for the browser that sent these headers, or null if there is none.
   */
  redemptionStep?(site: Site, headers: RequestHeaders): RedemptionStep | null;
  /** Undoes logins that the plugin stores outside the table `login_session`. */
  undo?: MarkUndone;
  /** Called after a login has been undone, and again whenever the wallet repeats the request. */
  onUndone?(site: Site, login: UndoneLogin & { sid: string }): Promise<void>;
  /**
   * Called when browser sessions end. Ends logins in progress that the plugin stores outside the table `login_session`.
   */
  onSessionEnd?(site: Site, end: SessionsToEnd): Promise<void>;
  /** Deletes expired rows from the plugin's tables. */
  prune?(site: Site): Promise<void>;
  /** Runs once, when the site is set up. */
  start?(site: Site): void;
  /** Returns the members that the plugin adds to the login. */
  extend?(context: PluginContext): object;
};

/** The members that plugins add to the login, by plugin name. Each plugin declares its own members. */
// biome-ignore lint/correctness/noUnusedVariables: the plugins' declarations use it.
// biome-ignore lint/suspicious/noEmptyInterface: the plugins' declarations fill it.
export interface LoginExtensions<UserId> {}

/** The functions with which a plugin builds the members that it adds to the login. */
export type PluginContext = {
  /** Resolves to the site once it has been set up. */
  site(): Promise<Site>;
  /**
   * Runs a call from the site's own code.
   * @throws {Refusal} 503 `service_unavailable` if the database is unreachable
   */
  run<Value>(act: (site: Site) => Promise<Value>): Promise<Value>;
  /** Creates a route handler, which returns 503 while the site cannot be set up. */
  handler(act: (site: Site, request: Request) => Promise<Response>): RouteHandler;
  /**
   * Registers a check of the site's options. If the options are invalid, the site does not start, or stops if it has
   * already started.
   * @param check throws a `ConfigurationError` if the options are invalid
   */
  require(check: OptionsCheck): void;
};

/**
 * Checks a site's options.
 * @throws {ConfigurationError} describing how to fix them
 */
export type OptionsCheck = (options: Pick<Site, "findOrCreateUser">) => void;

export type CodeRequest = {
  /** The action in the query's `mode`, or null in the fast login, which has no modes. */
  action: Action | null;
  headers: RequestHeaders;
};

/**
 * Checks whether this browser may request a code with the intent.
 * @returns a UUID that identifies the requester: a browser session, a recovery or a user of the site
 * @throws {Refusal} if the browser may not request one
 */
export type AuthorizeCode = (core: LoginCore, codeRequest: CodeRequest) => Promise<string>;

export type RedemptionStep = {
  beforeRedemption: NonNullable<RedeemableFlow["beforeRedemption"]>;
  setCookie(): string | null;
  /** Returns why this step refused the sign-in, or null if it did not. */
  refusalMessage(): string | null;
};

const LIST = new Intl.ListFormat("en-GB", { type: "disjunction" });

/**
 * Reads the intent of a requested code (docs/protocol.md#36-intents).
 * @param name the query's `intent`
 * @throws {Refusal} 400 if no plugin supports the intent; any refusal by the plugin
 */
export async function readCodeIntent(
  site: Site,
  name: string,
  codeRequest: CodeRequest,
): Promise<CodeIntent> {
  const intents = new Map(site.plugins.flatMap((plugin) => Object.entries(plugin.intents?.(site) ?? {})));
  const ask = intents.get(name);
  if (ask) return { intent: name as IntentName, askedBy: await ask(site.core, codeRequest) };
  const names = LIST.format([...intents.keys()].map((intent) => `"${intent}"`));
  throw refusal("invalid_request", names ? `Set intent to ${names}, or leave it out.` : "Leave intent out.");
}

export function collectRoutes(site: Site): Routes {
  return Object.assign({}, ...site.plugins.map((plugin) => plugin.routes?.(site)));
}

/** Returns the flows of the logins that a site's browsers redeem, keyed by the names of their NextAuth providers. */
export function collectFlows(site: Site): Record<string, RedeemableFlow> {
  return Object.assign({}, ...site.plugins.map((plugin) => plugin.flows?.(site)));
}

/** Creates the steps to run before a login is redeemed for the browser that sent these headers. */
export function createRedemptionSteps(site: Site, headers: RequestHeaders) {
  const parts = site.plugins.flatMap((plugin) => plugin.redemptionStep?.(site, headers) ?? []);
  return {
    /** Returns a copy of the flow that runs the plugins' steps first. */
    wrapFlow(flow: RedeemableFlow): RedeemableFlow {
      if (parts.length === 0) return flow;
      return {
        ...flow,
        async beforeRedemption(login) {
          for (const part of parts) await part.beforeRedemption(login);
          await flow.beforeRedemption?.(login);
        },
      };
    },
    setCookies: () => parts.flatMap((part) => part.setCookie() ?? []),
    refusalMessage: () =>
      parts.map((part) => part.refusalMessage()).find((message) => message !== null) ?? null,
  };
}

export async function endPendingLogins(site: Site, end: SessionsToEnd): Promise<void> {
  for (const plugin of site.plugins) await plugin.onSessionEnd?.(site, end);
}

export async function pruneSite(site: Site): Promise<void> {
  await pruneExpiredRows(site.core.database, site.core.now());
  for (const plugin of site.plugins) await plugin.prune?.(site);
}
