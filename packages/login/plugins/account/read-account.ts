import { formatCredentialName } from "../../crypto/public-key.ts";
import { browserName } from "../../protocol/browser-name.ts";
import { DeviceInfo } from "../../protocol/messages.ts";
import type { BrowserSession } from "../../server/browser-session.ts";
import { currentSession } from "../../server/browser-session.ts";
import { readBrowserHash } from "../../server/cookies.ts";
import type { LoginCore } from "../../server/core.ts";
import type { RequestHeaders } from "../../server/web-request.ts";
import type { Site } from "../../site/plugin.ts";
import { type CredentialRow, findPendingCredential, listCredentials } from "./store/credential.ts";
import {
  type AuditEntry,
  listAuditEntries,
  listNewBrowsers,
  listUndismissedChanges,
  listUndoneSignIns,
  recordShownNotices,
  SIGN_IN_EVENT_KINDS,
  type UndoneSignIn,
} from "./store/history.ts";
import { listBrowserSessions } from "./store/sessions.ts";

const LINES_SHOWN = 50;
const CHANGES_SHOWN = 10;

export type SignInMethod = {
  id: string;
  kind: "public_key" | "address";
  /** A key's fingerprint as the wallet shows it, or an address. */
  name: string;
  label: string | null;
  addedAt: string;
  /** Whether the account already had this method when it was last recovered. */
  isFromBeforeRecovery: boolean;
  /** As the wallet reports it. */
  platform: string | null;
  lastUsedAt: string | null;
  lastUsedIn: string | null;
};

export type SignedInBrowser = {
  id: string;
  /** Such as "Firefox on Linux". */
  name: string;
  /** As the wallet reports it. */
  device: string | null;
  /** As the `User-Agent` indicates. */
  isMobile: boolean;
  /** The `name` of the sign-in method that opened the session. The method may no longer exist. */
  signedInWith: string;
  signedInAt: string;
  lastSeenAt: string;
  isCurrent: boolean;
};

export type AccountEvent = {
  id: string;
  at: string;
  kind: AuditEntry["kind"];
  reason: string | null;
  /** Such as "Firefox on Linux". */
  browser: string;
  /** The key or address that the entry concerns, in the same form as `SignInMethod.name`. */
  credential: string | null;
  credentialKind: SignInMethod["kind"] | null;
  /** Null if the change concerns a key or an address. */
  subject: string | null;
  /** As the wallet reports it. */
  platform: string | null;
};

/** A change that is still in effect although the sign-in that made it was undone. */
export type RemainingChange = Pick<AccountEvent, "kind" | "credential" | "subject"> & {
  /** Null unless the change added a sign-in method, which can be removed by this id. */
  credentialId: string | null;
};

/** As one browser shows it. Times are in ISO 8601. */
export type Account = {
  /** As in `SignInMethod.name`. */
  signedInWith: string;
  /** Oldest first. */
  signInMethods: SignInMethod[];
  /** @deprecated `signInMethods` */
  waysIn: SignInMethod[];
  /** Newest first. */
  browsers: SignedInBrowser[];
  /**
   * Up to ten changes, newest first, made at most seven days before this browser's sign-in or later. Changes that were
   * dismissed in this browser are left out.
   */
  changes: AccountEvent[];
  /**
   * Other browsers that signed in to the account for the first time, except those that were dismissed in this browser.
   * `sessionId` is null once the browser has signed out.
   */
  newBrowsers: { id: string; at: string; name: string; sessionId: string | null }[];
  /**
   * Sign-ins that were undone in a wallet, but whose changes are still in effect. A sign-in is left out once it was
   * dismissed in this browser or its changes were reversed.
   */
  undone: { id: string; at: string; browser: string; left: RemainingChange[] }[];
  /** The last fifty entries, newest first. */
  history: AccountEvent[];
};

export type SiteAccount = {
  of(headers: RequestHeaders): Promise<Account | null>;
  /**
   * The key or address that answered a code with `intent=add`, or null if there is none. Show it to the user before you
   * add it, because anyone who saw the code could have answered it.
   */
  candidate(headers: RequestHeaders, sid: string): Promise<SignInMethodCandidate | null>;
};

export type SignInMethodCandidate = Pick<SignInMethod, "kind" | "name"> & {
  /** `taken`: another user signs in with this key or address. */
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
  headers: RequestHeaders,
  sid: string,
): Promise<SignInMethodCandidate | null> {
  const session = await currentSession(core, headers);
  const browserHash = readBrowserHash(headers.get("cookie"), core.origin);
  if (!session || browserHash === null) return null;
  const asker = { now: core.now(), sessionId: session.id };
  const found = await findPendingCredential(core.database, asker, { sid, browserHash });
  if (!found) return null;
  const { kind, value, holderId } = found;
  const standing = holderId === null ? "new" : holderId === session.userId ? "yours" : "taken";
  return { kind, name: formatCredentialName(value), standing };
}

export async function readAccount(core: LoginCore, session: BrowserSession): Promise<Account> {
  const { database } = core;
  const { userId } = session;
  // The history is read first, so that the lists that are read later include all changes in it.
  const history = await listAuditEntries(database, userId, LINES_SHOWN);
  const [credentials, browsers, changes, newBrowsers, undone] = await Promise.all([
    listCredentials(database, userId),
    listBrowserSessions(database, userId, core.now()),
    listUndismissedChanges(database, session, CHANGES_SHOWN),
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
    // A sign-in's subject is an internal id that marks a new browser, so pages do not show it.
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

/** Only an address is shown unchanged: a key is shown as its fingerprint. */
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
