import { database, db } from "#lib/platform/database/db.ts";
import { svcFunction } from "#lib/platform/database/svc-function.ts";
import { env, masterSecrets } from "#lib/platform/env.ts";
import { recordLoginStep } from "#lib/platform/observe/meters.ts";
import { callSqlFunction } from "#packages/login/database/sql-function.ts";
import { toClientIdentity } from "#packages/login/http/client-address.ts";
import { now } from "#packages/login/process/state.ts";
import type { Action } from "#packages/login/protocol/challenge.ts";
import { type Refusal, refusal } from "#packages/login/protocol/errors.ts";
import {
  addSeconds,
  CHALLENGE_LIFETIME_SECONDS,
  USER_AGENT_LIMIT_BYTES,
} from "#packages/login/protocol/numbers.ts";
import { formatSvcUri } from "#packages/login/protocol/qr-payload.ts";
import { computeNetworkTag } from "#packages/login/server/describe-code.ts";
import { createChallenge } from "#packages/login/server/issue-login.ts";
import { generateSessionId, hashSecret } from "#packages/login/server/random.ts";
import { truncateToBytes } from "#packages/login/server/web-request.ts";
import { isExemptFromProof, parseHostname } from "../contract/hostname.ts";
import { CreatedSession, type CreateSession, type SessionClient } from "../contract/session.ts";
import type { Tenant } from "../contract/tenant.ts";
import { IDEMPOTENCY_KEY_LIFETIME_SECONDS } from "../numbers.ts";
import { assertReturnUrl, resolveSessionWebhookUrl } from "./session-urls.ts";

/** `POST /sessions` (docs/protocol.md#52-sessions). */
export async function createSession(
  tenant: Tenant,
  body: CreateSession,
  { requestId, idempotencyKey = null }: { requestId: string; idempotencyKey?: string | null },
): Promise<CreatedSession> {
  const request = readIdempotentRequest(tenant, idempotencyKey, body);
  const answer = (await request?.earlierAnswer()) ?? (await create(tenant, body, request, requestId));
  if (answer) return answer;
  // Either an earlier request has already used this idempotency key, or the domain was just deleted.
  const answerNow = await request?.earlierAnswer();
  if (answerNow) return answerNow;
  throw notRegistered(body.domain);
}

// Returns null if, in the meantime, the idempotency key was used or the domain was deleted.
async function create(
  tenant: Tenant,
  body: CreateSession,
  request: IdempotentRequest | null,
  requestId: string,
): Promise<CreatedSession | null> {
  const { name, ...domain } = await registeredDomain(tenant, body.domain);
  const { return_url, custom_data } = body.metadata ?? {};
  const webhookUrl = resolveSessionWebhookUrl(body.webhook_url, {
    mode: tenant.mode,
    domain: name,
    registered: domain.webhookUrl,
  });
  assertReturnUrl(return_url, { mode: tenant.mode, domain: name });

  const sid = generateSessionId();
  const { issuedAt, handedOut } = createHostedChallenge(sid, body.mode, name);
  const answer: CreatedSession = { ...handedOut, status: "pending", created_at: issuedAt.toISOString() };
  const { userAgent, network } = toClientColumns(body.client);
  const outcome = await callSqlFunction<{ created: boolean }>(database(), CREATE, {
    tenantId: tenant.tenantId,
    tenantMode: tenant.mode,
    sessionDomainId: domain.id,
    sessionSid: sid,
    action: body.mode,
    challenge: handedOut.challenge,
    webhookUrl,
    returnUrl: return_url ?? null,
    customData: custom_data ?? null,
    userAgent,
    network,
    ...(request?.claimFor(answer) ?? NO_CLAIM),
    now: issuedAt,
  });
  if (!outcome?.created) return null;
  recordLoginStep({ requestId, flow: "hosted", sid, outcome: "issued" });
  return answer;
}

type IdempotentRequest = NonNullable<ReturnType<typeof readIdempotentRequest>>;

/**
 * Null without a key. Compares bodies after parsing, so white space, the order of fields, and ignored fields do not
 * matter.
 */
function readIdempotentRequest(tenant: Tenant, key: string | null, body: CreateSession) {
  if (key === null) return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw refusal("invalid_request", "An Idempotency-Key has 1 to 255 printable ASCII characters.");
  }
  const requestHash = hashSecret(JSON.stringify(body));
  const liveSince = addSeconds(now(), -IDEMPOTENCY_KEY_LIFETIME_SECONDS);
  return {
    /**
     * The response to the request that used this key in the last 24 hours, or null. Throws a 409 if that request had a
     * different body.
     */
    async earlierAnswer(): Promise<CreatedSession | null> {
      const stored = await db().idempotentAnswer.findFirst({
        where: { ownerId: tenant.tenantId, mode: tenant.mode, key, createdAt: { gt: liveSince } },
        select: { requestHash: true, body: true },
      });
      if (!stored) return null;
      if (Buffer.compare(stored.requestHash, requestHash) === 0) return CreatedSession.parse(stored.body);
      throw refusal(
        "idempotency_conflict",
        "This Idempotency-Key was used with a different body in the last 24 hours. Use a new key for a new request.",
      );
    },
    /** Claims the idempotency key while a session is created. */
    claimFor: (answer: CreatedSession) => ({
      idempotencyKey: key,
      requestHash,
      answer: JSON.stringify(answer),
      claimedSince: liveSince,
    }),
  };
}

const NO_CLAIM = { idempotencyKey: null, requestHash: null, answer: null, claimedSince: null };

const CREATE = svcFunction("create_session", [
  "tenantId",
  "tenantMode",
  "sessionDomainId",
  "sessionSid",
  "action",
  "challenge",
  "webhookUrl",
  "returnUrl",
  "customData",
  "userAgent",
  "network",
  "idempotencyKey",
  "requestHash",
  "answer",
  "claimedSince",
  "now",
]);

const FIND_DOMAIN = svcFunction("find_session_domain", ["tenantId", "tenantMode", "name"]);

type SessionDomain = { id: string; webhookUrl: string; verified: boolean };

async function registeredDomain(tenant: Tenant, text: string) {
  const name = parseHostname(text, tenant.mode);
  if (name === null) throw notRegistered(text);
  const domainKey = { tenantId: tenant.tenantId, tenantMode: tenant.mode, name };
  const domain = await callSqlFunction<SessionDomain>(database(), FIND_DOMAIN, domainKey);
  if (!domain) throw notRegistered(text);
  if (!domain.verified && needsProof(tenant, name)) {
    throw refusal(
      "domain_not_verified",
      `${name} is registered but not verified yet. Verify it with POST /domains/${domain.id}/verify.`,
      { details: { domain: name, domain_id: domain.id } },
    );
  }
  return { ...domain, name };
}

/**
 * Test mode requires a proof of ownership, except for local and `.example` names. Live mode requires a proof if the
 * operator has configured this.
 */
function needsProof({ mode }: Tenant, domain: string): boolean {
  return mode === "live" ? env().REQUIRE_VERIFIED_DOMAINS : !isExemptFromProof(domain);
}

function notRegistered(domain: string): Refusal {
  return refusal("domain_not_registered", "Register this domain first, with POST /domains.", {
    details: { domain },
  });
}

/** Wallets respond to this application, which sends the event to the customer (docs/protocol.md#52-sessions). */
export function createHostedChallenge(sid: string, action: Action, domain: string) {
  const issuedAt = now();
  const { timestamp, challenge } = createChallenge(issuedAt, action, domain);
  const webhook = `${env().APP_URL.origin}/webhook/sessions/${sid}`;
  return {
    issuedAt,
    handedOut: {
      id: sid,
      challenge,
      qr_data: formatSvcUri({ webhook, session: sid, challenge, ts: timestamp, intent: null }),
      expires_at: computeChallengeExpiry(issuedAt).toISOString(),
    },
  };
}

/** The stored form of a browser's description (docs/protocol.md#113-hosted-login). */
export function toClientColumns({ user_agent, address }: SessionClient = {}) {
  return {
    userAgent:
      user_agent === undefined ? null : truncateToBytes(user_agent.toWellFormed(), USER_AGENT_LIMIT_BYTES),
    network: computeNetworkTag(masterSecrets()[0], address === undefined ? null : toClientIdentity(address)),
  };
}

export function computeChallengeExpiry(issuedAt: Date): Date {
  return addSeconds(issuedAt, CHALLENGE_LIFETIME_SECONDS);
}
