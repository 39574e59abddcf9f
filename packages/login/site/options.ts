import type { Database } from "../database/database.ts";
import type { Brand } from "../http/plain-page.ts";
import { ADDED_KEY_PAGES } from "../protocol/paths.ts";
import type { LoginCore, LoginStep, SessionTokenCodec } from "../server/core.ts";
import type { RequestHeaders } from "../server/web-request.ts";
import { doesUndoSignOut } from "./site-sessions.ts";

/** For each invalid variable or option, the message has a line with the expected value. */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
}

export type LoginUser = {
  /** Numbers are never reused. */
  userId: number;
  /** 65 bytes as lower-case hex. */
  credential: string;
};

/**
 * Returns the user's id at the site, 1 to 255 characters long. Called before a sign-in if the login has not stored the
 * id yet. Must be idempotent for each `userId`, because it is called again after a failure, and two requests can call
 * it at the same time. The first id that it returns is stored permanently. The function has ten seconds, minus the time
 * that the request has already waited for the database.
 */
export type FindOrCreateUser = (user: LoginUser) => Promise<string>;

export type LoginRuntime = Pick<LoginCore, "database" | "now"> & {
  /** Rejects while the database is unreachable. Called before a response that contains the user but needs no query. */
  assertDatabaseAnswers(): Promise<void>;
};

type Storage =
  | {
      /**
       * PostgreSQL. The login creates and updates its tables in the schema `svc_login`, and listens for notifications.
       */
      databaseUrl: string;
      /** Replaces the login's separate pool by the site's own connections. */
      database?: Database | undefined;
      runtime?: undefined;
    }
  | {
      databaseUrl?: undefined;
      /** Without a URL, the tables must already exist (`migrate`), and event streams poll for changes every 5 s. */
      database: Database;
      runtime?: undefined;
    }
  | {
      databaseUrl?: undefined;
      database?: undefined;
      /**
       * For an application with its own server. That server must limit and stamp requests and set every response's
       * headers, and its jobs must delete expired rows and complete recoveries.
       */
      runtime: LoginRuntime;
    };

/** For a site with its own endpoints and for a customer of the hosted API. */
export type CommonOptions = Storage & {
  /** Its host name is the domain in every challenge. */
  origin: URL;
  qrFormat: "svc" | "https";
  /** The first secret encrypts session tokens. During a rotation, the other secrets still decrypt them. */
  secrets: readonly [current: string, ...previous: string[]];
  /** In front of the server. Each proxy adds an entry to `X-Forwarded-For`. */
  trustedProxies: number;
  /**
   * For hosts whose functions cannot see the client's connection. Returns the IP address from a header that the host
   * sets and that clients cannot set. If this function returns null, the request is refused.
   */
  clientAddress?: (headers: RequestHeaders) => string | null;
  /**
   * Your own code limits the bodies sent to such a path, for example uploads. Bodies sent to other paths may have at
   * most 64 KB.
   */
  acceptsLargeBodies?: (pathname: string) => boolean;
  /** The default is `/dashboard`. A `callbackUrl` in the login page's URL takes precedence. */
  afterLogin?: string;
  /** For a site with its own users. The login then uses the returned id as `userId` everywhere. */
  findOrCreateUser?: FindOrCreateUser | undefined;
  /** The page asks the holder of an added key for consent. The default is a plain page of the login. */
  addedKeyPage?: string;
  /** For the login's plain pages. The defaults are the domain, no logo and the system font. */
  brand?: Brand;
  /** Multiplies every limit. The default is 1. */
  limitScale?: number;
  /** Must not throw. */
  onStep?: (step: LoginStep) => void;
  /** The default writes to stderr. */
  onFailure?: OnFailure;
  /** Called when the process stops, after the login has closed its own connections. */
  onStopped?: () => Promise<void>;
};

/** Each plugin declares its own options. */
// biome-ignore lint/suspicious/noEmptyInterface: the plugins' declarations fill it.
export interface PluginOptions {}

export type LoginOptions = CommonOptions &
  PluginOptions & {
    /**
     * For a site with its own sessions (`redeem`). Ends the session that was opened by an undone login or a removed
     * wallet. Without this function, wallets do not get an undo URL.
     */
    onUndone?: OnSiteUndone | undefined;
  };

/**
 * Called when a wallet's user has undone a login, before the wallet gets its response. When a user removes a wallet,
 * also called for each login of that wallet (`linkedWallets`). If this function throws or takes longer than ten
 * seconds, the response is 503 and the user can try again. The function can be called twice for one login, for a login
 * that was never redeemed, and for several logins at the same time.
 */
export type OnSiteUndone = (login: { sid: string; userId: number | string }) => void | Promise<void>;

/** `requestId` is set if the failure happened during a request. */
export type OnFailure = (message: string, error: unknown, requestId?: string) => void;

export function createLoginCore(
  options: CommonOptions & { onUndone?: unknown },
  { database, now }: LoginRuntime,
  tokens: SessionTokenCodec | null,
): LoginCore {
  return {
    tokens,
    database,
    now,
    origin: options.origin,
    qrFormat: options.qrFormat,
    secrets: options.secrets,
    afterLogin: options.afterLogin ?? "/dashboard",
    addedKeyPage: options.addedKeyPage ?? ADDED_KEY_PAGES.plain,
    offersUndo: () => doesUndoSignOut(options),
    onStep: options.onStep ?? (() => {}),
  };
}

export function resolveBrand({ brand, origin }: Pick<CommonOptions, "brand" | "origin">): Brand {
  return brand ?? { name: origin.hostname };
}

export function writeFailure(message: string, error: unknown, requestId?: string): void {
  const heading = requestId === undefined ? message : `${message} (request ${requestId})`;
  process.stderr.write(`${heading}: ${error instanceof Error ? error.stack : String(error)}\n`);
}
