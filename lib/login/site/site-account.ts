import { findAddition, listCredentials } from "../account/store/credential.ts";
import { type AuditEntry, listAuditEntries, listChanges, listNewBrowsers } from "../account/store/history.ts";
import { listBrowserSessions } from "../account/store/sessions.ts";
import { credentialName } from "../crypto/public-key.ts";
import { browserName } from "../protocol/browser-name.ts";
import { DeviceInfo } from "../protocol/messages.ts";
import { readBindingSecret } from "../server/cookies.ts";
import { isSecure } from "../server/core.ts";
import { hashSecret } from "../server/random.ts";
import type { SentHeaders } from "../server/sent-headers.ts";
import { currentSession } from "../server/session-token.ts";
import type { Site } from "./site.ts";

/** What a site's pages show of the signed-in user's account. Times are ISO 8601. */

const LINES_SHOWN = 50;
const CHANGES_SHOWN = 10;

/** Something that the user signs in with. */
export type WayIn = {
  id: string;
  kind: "public_key" | "address";
  /** A key's fingerprint as its wallet shows it, or an address. */
  name: string;
  /** What its user calls it, or null. */
  label: string | null;
  addedAt: string;
  /** The account had it already when it was recovered. */
  isFromBeforeRecovery: boolean;
};

/** A browser in which the user is signed in. */
export type SignedInBrowser = {
  id: string;
  /** Such as "Firefox on Linux". */
  name: string;
  /** What the wallet said of its device, or null. Its own claim. */
  device: string | null;
  signedInAt: string;
  lastSeenAt: string;
  /** The one that asks. */
  isCurrent: boolean;
};

/** A line of what happened to the account. */
export type AccountEvent = {
  id: string;
  at: string;
  kind: AuditEntry["kind"];
  reason: string | null;
  /** The browser of the request that did it. */
  browser: string;
  /** The key or address that it is about, as `WayIn` names it. */
  credential: string | null;
};

/** What a page shows of the signed-in user's account. */
export type Account = {
  /** Oldest first. */
  waysIn: WayIn[];
  /** Newest first. */
  browsers: SignedInBrowser[];
  /** What changed in the last seven days and this browser has not dismissed. */
  changes: AccountEvent[];
  /** Other browsers that signed in for the first time, until dismissed; `sessionId` is null once they are out. */
  newBrowsers: { id: string; at: string; name: string; sessionId: string | null }[];
  /** The last fifty lines, newest first. */
  history: AccountEvent[];
};

export type SiteAccount = {
  /** The account of the user whose browser sends these headers; null when nobody is signed in. */
  of(headers: SentHeaders): Promise<Account | null>;
  /**
   * What a wallet answered with to a code that this signed-in browser asked for with `intent=add`; null when there is
   * none. It is shown to the user before it is added: whoever saw the code could have answered it.
   */
  candidate(headers: SentHeaders, sid: string): Promise<Candidate | null>;
};

export type Candidate = Pick<WayIn, "kind" | "name"> & {
  /** `taken`: another user signs in with it. */
  standing: "new" | "yours" | "taken";
};

export function siteAccount(
  run: <Value>(act: (site: Site) => Promise<Value>) => Promise<Value>,
): SiteAccount {
  return {
    of: (headers) => run((site) => readAccount(site, headers)),
    candidate: (headers, sid) => run((site) => findCandidate(site, headers, sid)),
  };
}

async function findCandidate({ core }: Site, headers: SentHeaders, sid: string): Promise<Candidate | null> {
  const session = await currentSession(core, headers);
  const secret = readBindingSecret(headers.get("cookie"), isSecure(core));
  if (!session || secret === null) return null;
  const asker = { now: core.now(), sessionId: session.id };
  const found = await findAddition(core.database, asker, { sid, browserHash: hashSecret(secret) });
  if (!found) return null;
  const { kind, value, holderId } = found;
  const standing = holderId === null ? "new" : holderId === session.userId ? "yours" : "taken";
  return { kind, name: credentialName(value), standing };
}

async function readAccount({ core }: Site, headers: SentHeaders): Promise<Account | null> {
  const session = await currentSession(core, headers);
  if (!session) return null;
  const { database } = core;
  const { userId } = session;
  // The history first: whatever it tells has happened to the lists that are read after it.
  const history = await listAuditEntries(database, userId, LINES_SHOWN);
  const [waysIn, browsers, changes, newBrowsers] = await Promise.all([
    listCredentials(database, userId),
    listBrowserSessions(database, userId, core.now()),
    listChanges(database, session, CHANGES_SHOWN),
    listNewBrowsers(database, session, CHANGES_SHOWN),
  ]);
  return {
    waysIn: waysIn.map(({ id, kind, value, label, createdAt, beforeRecoveryAt }) => ({
      ...{ id, kind, label, name: credentialName(value), addedAt: createdAt.toISOString() },
      isFromBeforeRecovery: beforeRecoveryAt !== null,
    })),
    browsers: browsers.map(({ id, userAgent, deviceInfo, createdAt, lastSeenAt }) => ({
      ...{ id, name: browserName(userAgent), device: deviceOf(deviceInfo) },
      ...{ signedInAt: createdAt.toISOString(), lastSeenAt: lastSeenAt.toISOString() },
      isCurrent: id === session.id,
    })),
    changes: changes.map(eventOf),
    newBrowsers: newBrowsers.map(({ id, at, userAgent, sessionId }) => ({
      ...{ id, sessionId, at: at.toISOString(), name: browserName(userAgent) },
    })),
    history: history.map(eventOf),
  };
}

function eventOf({ id, at, kind, reason, userAgent, credential }: AuditEntry): AccountEvent {
  return {
    ...{ id, kind, reason, at: at.toISOString(), browser: browserName(userAgent) },
    credential: credential && credentialName(credential),
  };
}

function deviceOf(deviceInfo: unknown): string | null {
  const { platform, version } = DeviceInfo.safeParse(deviceInfo).data ?? {};
  return [platform, version].filter(Boolean).join(" ") || null;
}
