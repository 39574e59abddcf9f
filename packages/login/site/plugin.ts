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

export type Site = {
  core: LoginCore;
  users: SiteUsers;
  findOrCreateUser: FindOrCreateUser | undefined;
  runtime: LoginRuntime;
  options: LoginOptions;
  plugins: readonly Plugin[];
  /** The site's own server limits and stamps requests and sets every response's headers. */
  isGuarded: boolean;
  clientAddress: LoginOptions["clientAddress"];
  limitScale: number;
  onFailure: OnFailure;
};

/** The request is within its limit, unless the handler still has to count it. */
export type SiteCall = Pick<EndpointCall, "request" | "requestId" | "query" | "limit" | "count"> & {
  core: LoginCore;
  params: { id?: string };
  /** An IP address or, for an IPv6 client, its /64 network. */
  client: string;
  /** @throws {Refusal} 400, 413 or 415 */
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
  /** Wallets post to this path from any origin. */
  wallets?: true;
  /** Errors are a line of text, as in the fast login (docs/protocol.md#6-fast-login). */
  plainText?: true;
  handle: (call: SiteCall) => Promise<Response>;
  /** Handles GET requests for JSON. If set, any other GET gets the page, and `handle` handles only POST requests. */
  ask?: (call: SiteCall) => Promise<Response>;
  page?: (site: Site, query: URLSearchParams) => string;
};
/** By path. `:id` matches the last segment. */
export type Routes = Readonly<Record<string, Route>>;

/**
 * The core consists of logins, registrations, browser sessions, the description of the browser that requests a code,
 * and undo. Plugins extend and import the core, which never imports a plugin. To remove a feature, remove its plugin
 * from the list that `createLogin` receives. A plugin's SQL functions are the `.sql` files in its folder.
 */
export type Plugin<Name extends string = string> = {
  /** Also the plugin's key in `LoginExtensions`. */
  readonly name: Name;
  readonly needs?: readonly string[];
  /** Only one plugin can provide tokens. */
  readonly tokens?: SessionTokenCodec;
  /**
   * Runs before the site's options are read.
   * @throws {ConfigurationError} if the login cannot run in this environment
   */
  prepare?(): void;
  /** Called if the site's options do not contain a runtime. */
  open?(options: LoginOptions): Promise<LoginRuntime>;
  routes?(site: Site): Routes;
  /** Each function checks whether a browser may request a code with this intent. */
  intents?(site: Site): { [Name in IntentName]?: AuthorizeCode };
  /** Keyed by the names of the NextAuth providers. */
  flows?(site: Site): Record<string, RedeemableFlow>;
  /** Runs before a login is redeemed for the browser that sent these headers. */
  redemptionStep?(site: Site, headers: RequestHeaders): RedemptionStep | null;
  /** For logins that the plugin stores outside the table `login_session`. */
  undo?: MarkUndone;
  /** Called again whenever the wallet repeats the request. */
  onUndone?(site: Site, login: UndoneLogin & { sid: string }): Promise<void>;
  /** Ends logins in progress that the plugin stores outside the table `login_session`. */
  onSessionEnd?(site: Site, end: SessionsToEnd): Promise<void>;
  prune?(site: Site): Promise<void>;
  /** Runs once, when the site is set up. */
  start?(site: Site): void;
  extend?(context: PluginContext): object;
};

/** Keyed by plugin name. Each plugin declares its own members. */
// biome-ignore lint/correctness/noUnusedVariables: the plugins' declarations use it.
// biome-ignore lint/suspicious/noEmptyInterface: the plugins' declarations fill it.
export interface LoginExtensions<UserId> {}

export type PluginContext = {
  site(): Promise<Site>;
  /**
   * For calls from the site's own code.
   * @throws {Refusal} 503 `service_unavailable` if the database is unreachable
   */
  run<Value>(act: (site: Site) => Promise<Value>): Promise<Value>;
  /** The route handler returns 503 while the site cannot be set up. */
  handler(act: (site: Site, request: Request) => Promise<Response>): RouteHandler;
  /** If the options are invalid, the site does not start, or stops if it has already started. */
  require(check: OptionsCheck): void;
};

/** @throws {ConfigurationError} describing how to fix them */
export type OptionsCheck = (options: Pick<Site, "findOrCreateUser">) => void;

export type CodeRequest = {
  /** Null in the fast login, which has no modes. */
  action: Action | null;
  headers: RequestHeaders;
};

/**
 * @returns a UUID that identifies the requester: a browser session, a recovery or a user of the site
 * @throws {Refusal} if the browser may not request one
 */
export type AuthorizeCode = (core: LoginCore, codeRequest: CodeRequest) => Promise<string>;

export type RedemptionStep = {
  beforeRedemption: NonNullable<RedeemableFlow["beforeRedemption"]>;
  setCookie(): string | null;
  refusalMessage(): string | null;
};

const LIST = new Intl.ListFormat("en-GB", { type: "disjunction" });

/**
 * @param name the query's `intent`
 * @throws {Refusal} 400 if no plugin supports the intent; any refusal by the plugin (docs/protocol.md#36-intents)
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

/** Keyed by the names of the NextAuth providers. */
export function collectFlows(site: Site): Record<string, RedeemableFlow> {
  return Object.assign({}, ...site.plugins.map((plugin) => plugin.flows?.(site)));
}

export function createRedemptionSteps(site: Site, headers: RequestHeaders) {
  const parts = site.plugins.flatMap((plugin) => plugin.redemptionStep?.(site, headers) ?? []);
  return {
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
