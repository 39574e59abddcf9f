import { ADDED_KEY_PAGES } from "../protocol/paths.ts";
import type { LoginCore } from "../server/core.ts";
import type { LoginOptions, OnFailure, Runtime, SiteEvent } from "./options.ts";
import { startRuntime } from "./runtime.ts";
import { type FindOrCreateUser, type SiteUsers, siteUsers } from "./site-users.ts";

/** A login that is set up. */
export type Site = {
  core: LoginCore;
  users: SiteUsers;
  findOrCreateUser: FindOrCreateUser | undefined;
  runtime: Runtime;
  /** Whether a server of the site's own has bounded and stamped each request, and sets the headers of its answer. */
  isGuarded: boolean;
  addsKeys: boolean;
  limitScale: number;
  recoveryDelayHours: number;
  onEvent: (event: SiteEvent) => void | Promise<void>;
  onWrongCode: () => void;
  onFailure: OnFailure;
};

/** What the use cases of a login work with. */
export function coreOf(options: LoginOptions, { database, now, subscribe }: Runtime): LoginCore {
  return {
    ...{ database, now, subscribe },
    origin: options.origin,
    qrFormat: options.qrFormat,
    secrets: options.secrets,
    afterLogin: options.afterLogin ?? "/dashboard",
    addedKeyPage: options.addedKeyPage ?? ADDED_KEY_PAGES.plain,
    onStep: options.onStep ?? (() => {}),
  };
}

/** Sets up the login of a site. */
export async function openSite(options: LoginOptions): Promise<Site> {
  const { findOrCreateUser, onFailure = writeFailure } = options;
  // NextAuth reads its own address here.
  process.env.NEXTAUTH_URL = options.origin.origin;
  const runtime = options.runtime ?? (await startRuntime(options, onFailure));
  const core = coreOf(options, runtime);
  return {
    ...{ core, runtime, findOrCreateUser, onFailure },
    isGuarded: options.runtime !== undefined,
    users: siteUsers(core, findOrCreateUser, onFailure),
    addsKeys: options.addsKeys ?? false,
    limitScale: options.limitScale ?? 1,
    recoveryDelayHours: options.recoveryDelayHours ?? 0,
    onEvent: options.onEvent ?? (() => {}),
    onWrongCode: options.onWrongCode ?? (() => {}),
  };
}

/** Writes to stderr what failed. */
export function writeFailure(message: string, error: unknown, requestId?: string): void {
  const where = requestId === undefined ? message : `${message} (request ${requestId})`;
  process.stderr.write(`${where}: ${error instanceof Error ? error.stack : String(error)}\n`);
}
