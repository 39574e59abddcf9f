import { formatCredentialName } from "../../crypto/public-key.ts";
import { browserName } from "../../protocol/browser-name.ts";
import { DeviceInfo } from "../../protocol/messages.ts";
import type { BrowserSession } from "../../server/browser-session.ts";
import { currentSession } from "../../server/browser-session.ts";
import { readBrowserHash } from "../../server/cookies.ts";
import type { LoginCore } from "../../server/core.ts";
import type { SentHeaders } from "../../server/web-request.ts";
import type { Site } from "../../site/plugin.ts";
import { type CredentialRow, findAddition, listCredentials } from "./store/credential.ts";
import {
  type AuditEntry,
  listAuditEntries,
  listChanges,
  listNewBrowsers,
  listUndoneSignIns,
  recordShownNotices,
  SIGN_IN_EVENT_KINDS,
  type UndoneSignIn,
} from "./store/history.ts";
import { listBrowserSessions } from "./store/sessions.ts";

/** The signed-in user's account as a site's pages show it. Times are ISO 8601. */

const LINES_SHOWN = 50;
const CHANGES_SHOWN = 10;

/** Something that the user signs in with. */
export type SignInMethod = {
  id: string;
  kind: "public_key" | "address";
  /** A key's fingerprint as its wallet shows it, or an address. */
  name: string;
  /** The name that the user gave the method, or null. */
  label: string | null;
  addedAt: string;
  /** True if the account already had this method when the account was last recovered. */
  isFromBeforeRecovery: boolean;
  /** The platform that the wallet claims to run on, or null. */
  platform: string | null;
  /** The time of the last known sign-in with this method, or null. */
  lastUsedAt: string | null;
  lastUsedIn: string | null;
};

/** A browser in which the user is signed in. */
export type SignedInBrowser = {
  id: string;
  /** The browser's name, such as "Firefox on Linux". */
  name: string;
  /** The device that the wallet claims to run on, or null. */
  device: string | null;
  /** Whether the browser's `User-Agent` claims a phone or tablet. */
  isMobile: boolean;
  /**
   * The name of the sign-in method that opened the session, as in `SignInMethod`. The method may have been removed
   * since.
   */
  signedInWith: string;
  signedInAt: string;
  lastSeenAt: string;
  /** True for the browser that sent this request. */
  isCurrent: boolean;
};

/** An entry of the account's history. */
export type AccountEvent = {
  id: string;
  at: string;
  kind: AuditEntry["kind"];
  reason: string | null;
  /** The browser that made the request. */
  browser: string;
  /** The key or address that the entry is about, named as in `SignInMethod`. */
  credential: string | null;
  /** The type of `credential`. */
  credentialKind: SignInMethod["kind"] | null;
  /** The subject of the change, if it is neither key nor address. */
  subject: string | null;
  /** The platform that the wallet claims to run on, or null. */
  platform: string | null;
};

/** A change that an undone sign-in made and that is still in effect. */
export type RemainingChange = Pick<AccountEvent, "kind" | "credential" | "subject"> & {
  /** The id of an added sign-in method, with which it can be removed; null for other changes. */
  credentialId: string | null;
};

/** The signed-in user's account as a page shows it. */
export type Account = {
  /** The name of this browser's sign-in method, as in `SignInMethod`. */
  signedInWith: string;
  /** Oldest first. */
  signInMethods: SignInMethod[];
  /** @deprecated `signInMethods` */
  waysIn: SignInMethod[];
  /** Newest first. */
  browsers: SignedInBrowser[];
  /** The last ten changes since seven days before this browser's sign-in, except those that it has dismissed. */
  changes: AccountEvent[];
  /**
   * Other browsers that signed in for the first time, until the user dismisses them. `sessionId` is null after a
   * browser has signed out.
   */
  newBrowsers: { id: string; at: string; name: string; sessionId: string | null }[];
  /**
   * Sign-ins that were undone from a wallet but whose changes are still in effect, until they are dismissed or
   * reversed.
   */
  undone: { id: string; at: string; browser: string; left: RemainingChange[] }[];
  /** The last fifty lines, newest first. */
  history: AccountEvent[];
};

export type SiteAccount = {
  /** Returns the account of the user whose browser sends these headers, or null without a session. */
  of(headers: SentHeaders): Promise<Account | null>;
  /**
   * Returns the key or address that answered this signed-in browser's code with `intent=add`, or null if there is none.
   * Show the key to the user before you add it, because anyone who saw the code could have answered it.
   */
  candidate(headers: SentHeaders, sid: string): Promise<SignInMethodCandidate | null>;
};

export type SignInMethodCandidate = Pick<SignInMethod, "kind" | "name"> & {
  /** `taken` means that another user signs in with this key. */
  standing: "new" | "yours" | "taken";
};

export function createSiteAccount(
  run: <Value>(act: (site: Site) => Promise<Value>) => Promise<Value>,
): SiteAccount {
  return {
    of: (headers) =>
      run(async ({ core }) => {
        const session = await currentSession(core, headers);
        return session && readAccount(core, session);
      }),
    candidate: (headers, sid) => run((site) => findCandidate(site, headers, sid)),
  };
}

async function findCandidate(
  { core }: Site,
  headers: SentHeaders,
  sid: string,
): Promise<SignInMethodCandidate | null> {
  const session = await currentSession(core, headers);
  const browserHash = readBrowserHash(headers.get("cookie"), core.origin);
  if (!session || browserHash === null) return null;
  const asker = { now: core.now(), sessionId: session.id };
  const found = await findAddition(core.database, asker, { sid, browserHash });
  if (!found) return null;
  const { kind, value, holderId } = found;
  const standing = holderId === null ? "new" : holderId === session.userId ? "yours" : "taken";
  return { kind, name: formatCredentialName(value), standing };
}

/** Reads the account of a session's user, as the browser with that session sees it. */
export async function readAccount(core: LoginCore, session: BrowserSession): Promise<Account> {
  const { database } = core;
  const { userId } = session;
  // Read the history first, so that the lists below already include its changes.
  const history = await listAuditEntries(database, userId, LINES_SHOWN);
  const [credentials, browsers, changes, newBrowsers, undone] = await Promise.all([
    listCredentials(database, userId),
    listBrowserSessions(database, userId, core.now()),
    listChanges(database, session, CHANGES_SHOWN),
    listNewBrowsers(database, session, CHANGES_SHOWN),
    listUndoneSignIns(database, session, CHANGES_SHOWN),
  ]);
  await recordShownNotices(database, session, [...changes, ...newBrowsers, ...undone]);
  const signIns = [
    ...browsers.map(({ createdAt, ...browser }): SignIn => ({ at: createdAt, ...browser })),
    ...history.filter(({ kind }) => kind === "session_created"),
  ];
  const signInMethods = credentials.map((row) => signInMethodOf(row, signIns));
  return {
    signedInWith: formatCredentialName(session.credential),
    signInMethods,
    waysIn: signInMethods,
    browsers: browsers.map(({ id, credential, userAgent, deviceInfo, createdAt, lastSeenAt }) => ({
      ...{ id, name: browserName(userAgent), device: deviceOf(deviceInfo) },
      isMobile: /\b(Mobile|iPhone|iPad|Android)\b/.test(userAgent ?? ""),
      signedInWith: formatCredentialName(credential),
      ...{ signedInAt: createdAt.toISOString(), lastSeenAt: lastSeenAt.toISOString() },
      isCurrent: id === session.id,
    })),
    changes: changes.map(eventOf),
    newBrowsers: newBrowsers.map(({ id, at, userAgent, sessionId }) => ({
      ...{ id, sessionId, at: at.toISOString(), name: browserName(userAgent) },
    })),
    undone: undone.map(({ id, at, userAgent, left }) => ({
      ...{ id, at: at.toISOString(), browser: browserName(userAgent), left: left.map(readRemaining) },
    })),
    history: history.map(eventOf),
  };
}

/** A sign-in with one of the user's credentials. */
type SignIn = Pick<AuditEntry, "at" | "credential" | "deviceInfo" | "userAgent">;

function signInMethodOf(row: CredentialRow, signIns: readonly SignIn[]): SignInMethod {
  const { id, kind, value, label, createdAt, beforeRecoveryAt } = row;
  const ownSignIns = signIns.filter(({ credential }) => credential === value);
  const last = ownSignIns.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0];
  return {
    ...{ id, kind, label, name: formatCredentialName(value), addedAt: createdAt.toISOString() },
    isFromBeforeRecovery: beforeRecoveryAt !== null,
    platform: readDeviceInfo(row.deviceInfo ?? last?.deviceInfo).platform ?? null,
    lastUsedAt: last?.at.toISOString() ?? null,
    lastUsedIn: last?.userAgent ? browserName(last.userAgent) : null,
  };
}

function eventOf({ credential, ...row }: AuditEntry): AccountEvent {
  const { id, at, kind, reason, userAgent } = row;
  return {
    ...{ id, kind, reason, at: at.toISOString(), browser: browserName(userAgent) },
    credential: credential === null ? null : formatCredentialName(credential),
    credentialKind: credential === null ? null : kindOf(credential),
    // A sign-in's subject is an internal id that announces a new browser, so pages do not show it.
    subject: SIGN_IN_EVENT_KINDS.includes(kind) ? null : row.subject,
    platform: readDeviceInfo(row.deviceInfo).platform ?? null,
  };
}

function readRemaining({
  kind,
  credential,
  subject,
  credentialId,
}: UndoneSignIn["left"][number]): RemainingChange {
  return {
    kind,
    subject,
    credentialId,
    credential: credential === null ? null : formatCredentialName(credential),
  };
}

/**
 * Returns the kind of a credential from its displayed name: an address is shown unchanged, and a public key as its
 * fingerprint.
 */
function kindOf(credential: string): SignInMethod["kind"] {
  return formatCredentialName(credential) === credential ? "address" : "public_key";
}

function readDeviceInfo(deviceInfo: unknown): DeviceInfo {
  return DeviceInfo.safeParse(deviceInfo).data ?? {};
}

function deviceOf(deviceInfo: unknown): string | null {
  const { platform, version } = readDeviceInfo(deviceInfo);
  return [platform, version].filter(Boolean).join(" ") || null;
}
