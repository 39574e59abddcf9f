import { hash, timingSafeEqual } from "node:crypto";
import type { Database } from "../database/database.ts";
import { callSqlFunction, type RequestCounter, sqlFunction } from "../database/sql-function.ts";
import { browserName } from "../protocol/browser-name.ts";
import { type Action, parseChallenge } from "../protocol/challenge.ts";
import { refusal } from "../protocol/errors.ts";
import type { CodeDescription } from "../protocol/messages.ts";
import { addSeconds, CHALLENGE_LIFETIME_SECONDS } from "../protocol/numbers.ts";
import { type Intent, isSid } from "../protocol/qr-payload.ts";
import type { LoginCore } from "./core.ts";

/**
 * For a wallet that has not signed yet. The description of the browser helps the user notice a relayed code
 * (docs/protocol.md#111-before-signing). It contains neither the user nor an IP address.
 * @param asked.client the wallet's client address, or null if it is unknown
 * @throws {Refusal} 408 `challenge_expired` if the code can no longer be answered or was never issued
 */
export async function describeCode(
  core: LoginCore,
  action: Action,
  {
    sid,
    challenge,
    client,
    limit,
  }: { sid: string; challenge: string; client: string | null; limit: RequestCounter | null },
): Promise<CodeDescription> {
  const now = core.now();
  const code =
    isSid(sid) && isSiteChallenge(core, action, challenge)
      ? await findCodeInfo(core.database, { now, sid, challenge }, limit)
      : null;
  return describeCodeToWallet(core, code && { ...code, domain: core.origin.hostname, action }, client);
}

/**
 * Used in any flow.
 * @throws {Refusal} 408 `challenge_expired` if there is no such code
 */
export function describeCodeToWallet(
  core: LoginCore,
  code: (CodeInfo & { domain: string; action: Action }) | null | undefined,
  client: string | null,
): CodeDescription {
  if (!code) throw refusal("challenge_expired", "This code has expired or was already used.");
  return {
    domain: code.domain,
    action: code.action,
    intent: code.intent,
    asked_at: code.issuedAt.toISOString(),
    expires_at: addSeconds(code.issuedAt, CHALLENGE_LIFETIME_SECONDS).toISOString(),
    browser: { name: browserName(code.userAgent) },
    network: compareNetworks(core, code.network, client),
  };
}

export function isSiteChallenge({ origin }: LoginCore, action: Action, text: string): boolean {
  const challenge = parseChallenge(text);
  return challenge?.action === action && challenge.domain === origin.hostname;
}

/**
 * The tag represents the network in the database. Anyone who has the secret can check whether an address has this tag.
 * Without the secret, the address cannot be recovered from the tag.
 * @param client an IPv4 address or a /64, or null if it is unknown
 */
export function computeNetworkTag(secret: string, client: string | null): Uint8Array<ArrayBuffer> | null {
  if (client === null) return null;
  const network = LOOPBACK.test(client) ? "loopback" : client;
  // A length extension attack would need the complete hash, but the tag contains only half of it.
  return new Uint8Array(hash("sha256", `${secret}\0network:${network}`, "buffer").subarray(0, 16));
}

/** `localhost` can resolve to IPv4 or IPv6. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|0:0:0:0::\/64)$/;

function compareNetworks(
  { secrets }: LoginCore,
  browserTag: Uint8Array | null,
  client: string | null,
): CodeDescription["network"] {
  if (browserTag === null || client === null) return "unknown";
  const isSame = secrets.some((secret) => {
    const tag = computeNetworkTag(secret, client);
    return tag !== null && tag.length === browserTag.length && timingSafeEqual(tag, browserTag);
  });
  return isSame ? "same" : "other";
}

export type CodeInfo = {
  issuedAt: Date;
  intent: Intent | null;
  userAgent: string | null;
  network: Uint8Array | null;
};

const FIND_CODE_INFO = sqlFunction("who_is_asking", ["challenge", "loginSid", "now", "issuedSince"]);

/** Null if the code can no longer be answered. Does not change anything. */
export async function findCodeInfo(
  database: Database,
  { now, sid, challenge }: { now: Date; sid: string; challenge: string },
  limit: RequestCounter | null,
): Promise<CodeInfo | null> {
  const issuedSince = addSeconds(now, -CHALLENGE_LIFETIME_SECONDS);
  return callSqlFunction<CodeInfo>(
    database,
    FIND_CODE_INFO,
    { challenge, loginSid: sid, now, issuedSince },
    limit,
  );
}
