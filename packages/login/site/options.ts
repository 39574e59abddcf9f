import type { Database } from "../database/database.ts";
import type { Brand } from "../http/plain-page.ts";
import { ADDED_KEY_PAGES } from "../protocol/paths.ts";
import type { LoginCore, LoginStep, SessionTokens } from "../server/core.ts";
import type { SentHeaders } from "../server/web-request.ts";
import { undoSignsOut } from "./site-sessions.ts";

/** The configuration is wrong: a line for each variable or option, with its name and what is expected. */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
}

/** A user as the login knows them. */
export type LoginUser = {
  /** The login's own number for the user, which no other user ever gets. */
  userId: number;
  /** The public key that they signed in with: hex of 65 bytes, lower case. */
  credential: string;
};

/**
 * Finds or creates the site's own user for a user of the login, and returns its id: 1 to 255 characters.
 *
 * Called when the login has no id for this user yet, before anybody is signed in. It must be idempotent by `userId`:
 * it is called again after it failed, and two requests may call it simultaneously. The first id that is returned is
 * kept for good. It has ten seconds, less what the request has waited for the database.
 */
export type FindOrCreateUser = (user: LoginUser) => Promise<string>;

/** The environment of a login, in addition to its options. */
export type Runtime = Pick<LoginCore, "database" | "now"> & {
  /** Rejects while the database is unreachable. Called before a response that names the user without a query. */
  assertDatabaseAnswers(): Promise<void>;
};

/** Where the login keeps its tables. */
type Storage =
  | {
      /** A PostgreSQL. The login keeps its tables in the schema `svc_login` up to date, and listens for changes. */
      databaseUrl: string;
      /** Runs the login's statements on connections of the site's, instead of a pool of the login's own. */
      database?: Database | undefined;
      runtime?: undefined;
    }
  | {
      databaseUrl?: undefined;
      /** Without a URL the tables have to be there (`migrate`), and event streams look for changes every 5 s. */
      database: Database;
      runtime?: undefined;
    }
  | {
      databaseUrl?: undefined;
      database?: undefined;
      /**
       * For an application with its own server, which does all of this already. Its server limits and stamps
       * requests and sets the headers of every answer. Its jobs delete what has ended and finish recoveries.
       */
      runtime: Runtime;
    };

/** What every login is set up with: a site's own, and a customer's of the hosted API. */
export type CommonOptions = Storage & {
  /** Public origin; its hostname is the domain of every challenge. */
  origin: URL;
  qrFormat: "svc" | "https";
  /** The first encrypts session tokens. The others only decrypt, while the secret is rotated. */
  secrets: readonly [current: string, ...previous: string[]];
  /** The number of proxies in front whose `X-Forwarded-For` is trusted. */
  trustedProxies: number;
  /**
   * For a host whose functions see no connection: the IP address that the host's edge names in a header that clients
   * cannot set. A request for which this returns null is refused.
   */
  clientAddress?: (headers: SentHeaders) => string | null;
  /**
   * Whether your own code limits the bodies that are sent to a path, an upload for example. Everywhere else a body
   * may have 64 KB.
   */
  acceptsLargeBodies?: (pathname: string) => boolean;
  /** Where a browser goes once it is signed in, if its page does not say: a path, `/dashboard` by default. */
  afterLogin?: string;
  /** For a site with its own users. `userId` is then the value that this returns, everywhere. */
  findOrCreateUser?: FindOrCreateUser | undefined;
  /** Where the holder of an added key is asked before they are signed in: a plain page of the login's by default. */
  addedKeyPage?: string;
  /** The name, mark and typeface of the login's plain pages: by default the domain, none, and the system's. */
  brand?: Brand;
  /** Multiplies every limit; 1 by default. */
  limitScale?: number;
  /** Called with every step of a login; must not throw. */
  onStep?: (step: LoginStep) => void;
  /** Called with what failed; writes to stderr by default. */
  onFailure?: OnFailure;
  /** Runs when the process stops, once the login's own connections are closed. */
  onStopped?: () => Promise<void>;
};

/** The options of plugins. Each plugin declares its own. */
// biome-ignore lint/suspicious/noEmptyInterface: the plugins' declarations fill it.
export interface PluginOptions {}

export type LoginOptions = CommonOptions &
  PluginOptions & {
    /**
     * For a site with its own sessions (`redeem`): ends the session that an undone login has opened. Without it, such a
     * site does not offer `undo` to wallets.
     */
    onUndone?: OnSiteUndone | undefined;
  };

/**
 * Called when the wallet's user has undone a login, before the wallet gets its answer. If it throws, or takes longer
 * than the ten seconds of a request, the wallet gets 503 and its user can try again. It can be called twice for one
 * login, and for one that was never redeemed.
 */
export type OnSiteUndone = (login: { sid: string; userId: number | string }) => void | Promise<void>;

/** Called with what failed, and with the id of the request if it was one. */
export type OnFailure = (message: string, error: unknown, requestId?: string) => void;

/** The dependencies of a login's use cases. */
export function coreOf(
  options: CommonOptions & { onUndone?: unknown },
  { database, now }: Runtime,
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

/** How the login's plain pages name the site. */
export function brandOf({ brand, origin }: Pick<CommonOptions, "brand" | "origin">): Brand {
  return brand ?? { name: origin.hostname };
}

/** Writes to stderr what failed. */
export function writeFailure(message: string, error: unknown, requestId?: string): void {
  const where = requestId === undefined ? message : `${message} (request ${requestId})`;
  process.stderr.write(`${where}: ${error instanceof Error ? error.stack : String(error)}\n`);
}
