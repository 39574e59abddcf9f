import type { Database } from "../database/database.ts";
import type { Brand } from "../http/plain-page.ts";
import { ADDED_KEY_PAGES } from "../protocol/paths.ts";
import type { LoginCore, LoginStep, SessionTokens } from "../server/core.ts";
import type { SentHeaders } from "../server/web-request.ts";
import { undoSignsOut } from "./site-sessions.ts";

/**
 * An error for an invalid configuration. Its message has a line for each variable or option, with its name and the
 * expected value.
 */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
}

/** A user as the login knows them. */
export type LoginUser = {
  /** The login's number for the user. It is never reused. */
  userId: number;
  /** The public key that signed the user in: 65 bytes in lower-case hex. */
  credential: string;
};

/**
 * Finds or creates the site's own user for a user of the login, and returns the id of the site's user: 1 to 255
 * characters.
 *
 * Called before the sign-in if the login has no id for this user yet. It must be idempotent for each `userId`, because
 * it is called again after a failure, and two requests may call it simultaneously. The first id that it returns is
 * stored permanently. It must finish within ten seconds, minus the time that the request has waited for the database.
 */
export type FindOrCreateUser = (user: LoginUser) => Promise<string>;

/** The environment of a login, in addition to its options. */
export type LoginRuntime = Pick<LoginCore, "database" | "now"> & {
  /** Rejects while the database is unreachable. Called before a response that contains the user but needs no query. */
  assertDatabaseAnswers(): Promise<void>;
};

/** The database with the login's tables. */
type Storage =
  | {
      /**
       * The URL of a PostgreSQL database. The login updates its tables in the schema `svc_login` and listens for
       * notifications.
       */
      databaseUrl: string;
      /** Runs the login's statements on the site's connections, instead of a separate pool. */
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
       * For an application with its own server, which limits and stamps requests and sets the headers of every
       * response. Its jobs delete expired rows and complete recoveries.
       */
      runtime: LoginRuntime;
    };

/** The options of every login, both a site's own and that of a customer of the hosted API. */
export type CommonOptions = Storage & {
  /** The public origin. Its host name is the domain in every challenge. */
  origin: URL;
  qrFormat: "svc" | "https";
  /** The first secret encrypts session tokens. The others only decrypt them, during a rotation. */
  secrets: readonly [current: string, ...previous: string[]];
  /** The number of proxies in front whose `X-Forwarded-For` is trusted. */
  trustedProxies: number;
  /**
   * For a host whose functions cannot see the connection: returns the IP address from a header that the host sets and
   * clients cannot. A request for which it returns null is refused.
   */
  clientAddress?: (headers: SentHeaders) => string | null;
  /**
   * Returns true for a path at which your own code limits bodies, such as an upload. Everywhere else a body may have
   * at most 64 KB.
   */
  acceptsLargeBodies?: (pathname: string) => boolean;
  /**
   * The path to which a browser goes after the sign-in, unless its page has a `callbackUrl`. `/dashboard` by default.
   */
  afterLogin?: string;
  /** For a site with its own users. The login then uses the returned value as `userId` everywhere. */
  findOrCreateUser?: FindOrCreateUser | undefined;
  /**
   * The path of the page that asks the holder of an added key for consent before they are signed in. By default, this
   * is a plain page of the login.
   */
  addedKeyPage?: string;
  /**
   * The name, logo and typeface of the login's plain pages. The defaults are the domain, no logo, and the system's
   * typeface.
   */
  brand?: Brand;
  /** Multiplies every limit; 1 by default. */
  limitScale?: number;
  /** Called with every step of a login; must not throw. */
  onStep?: (step: LoginStep) => void;
  /** Called with each failure. Writes to stderr by default. */
  onFailure?: OnFailure;
  /** Called when the process stops, after the login's own connections are closed. */
  onStopped?: () => Promise<void>;
};

/** The options of plugins. Each plugin declares its own. */
// biome-ignore lint/suspicious/noEmptyInterface: the plugins' declarations fill it.
export interface PluginOptions {}

export type LoginOptions = CommonOptions &
  PluginOptions & {
    /**
     * For a site with its own sessions (`redeem`): ends the session that an undone login or a removed wallet has
     * opened. Without this function, wallets do not get an undo URL.
     */
    onUndone?: OnSiteUndone | undefined;
  };

/**
 * Called when the wallet's user has undone a login, before the wallet gets its response, and for each login of a wallet
 * that its user removes (`linkedWallets`). If the function throws an error, or takes longer than ten seconds, the
 * response is 503 and the user can try again. The function can be called twice for one login, for a login that was never
 * redeemed, and for several logins at the same time.
 */
export type OnSiteUndone = (login: { sid: string; userId: number | string }) => void | Promise<void>;

/** Called with a failure, and with the id of the request in which it happened, if any. */
export type OnFailure = (message: string, error: unknown, requestId?: string) => void;

/** Creates the dependencies of a login's use cases. */
export function createCore(
  options: CommonOptions & { onUndone?: unknown },
  { database, now }: LoginRuntime,
  tokens: SessionTokens | null,
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
    offersUndo: () => undoSignsOut(options),
    onStep: options.onStep ?? (() => {}),
  };
}

/** Returns the site's name, logo and typeface on the login's plain pages. */
export function toBrand({ brand, origin }: Pick<CommonOptions, "brand" | "origin">): Brand {
  return brand ?? { name: origin.hostname };
}

/** Writes a failure to stderr. */
export function writeFailure(message: string, error: unknown, requestId?: string): void {
  const heading = requestId === undefined ? message : `${message} (request ${requestId})`;
  process.stderr.write(`${heading}: ${error instanceof Error ? error.stack : String(error)}\n`);
}
