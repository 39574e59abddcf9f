import { newSessionId } from "#lib/login/server/random.ts";
import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { recordLoginStep } from "#lib/platform/observe/meters.ts";
import { needsNoProofInTest, parseHostname } from "../contract/hostname.ts";
import type { CreatedSession, CreateSession } from "../contract/session.ts";
import type { Tenant } from "../contract/tenant.ts";
import { createHostedSession, findSessionDomain } from "../store/hosted-session.ts";
import { type IdempotentRequest, readIdempotentRequest } from "./idempotent-request.ts";
import { newHostedChallenge } from "./issue-challenge.ts";
import { checkReturnUrl, checkSessionWebhookUrl } from "./session-urls.ts";

/**
 * `POST /sessions`: a pending session with its challenge for a domain of the tenant's (docs/protocol.md#52-sessions).
 * @param call.idempotencyKey the request's `Idempotency-Key`, if any
 * @throws {ApiError} 422 `domain_not_registered` or `domain_not_verified`, 409 `idempotency_conflict`, 400
 */
export async function createSession(
  tenant: Tenant,
  body: CreateSession,
  { requestId, idempotencyKey }: { requestId: string; idempotencyKey: string | null },
): Promise<CreatedSession> {
  const request = readIdempotentRequest(tenant, idempotencyKey, body);
  const answer = (await request?.earlierAnswer()) ?? (await create(tenant, body, request, requestId));
  if (answer) return answer;
  // Another request with this key was first, and its answer is stored by now; otherwise the domain was just deleted.
  const answerNow = await request?.earlierAnswer();
  if (answerNow) return answerNow;
  throw notRegistered(body.domain);
}

// Null when the key was claimed, or the domain deleted, in the meantime.
async function create(
  tenant: Tenant,
  body: CreateSession,
  request: IdempotentRequest | null,
  requestId: string,
): Promise<CreatedSession | null> {
  const { name, ...domain } = await registeredDomain(tenant, body.domain);
  const { return_url, custom_data } = body.metadata ?? {};
  const webhookUrl = checkSessionWebhookUrl(body.webhook_url, {
    mode: tenant.mode,
    domain: name,
    registered: domain.webhookUrl,
  });
  checkReturnUrl(return_url, { mode: tenant.mode, domain: name });

  const sid = newSessionId();
  const { issuedAt, handedOut } = newHostedChallenge(sid, body.mode, name);
  const answer: CreatedSession = { ...handedOut, status: "pending", created_at: issuedAt.toISOString() };
  const created = await createHostedSession({
    now: issuedAt,
    tenant,
    domainId: domain.id,
    sid,
    action: body.mode,
    challenge: handedOut.challenge,
    webhookUrl,
    returnUrl: return_url ?? null,
    customData: custom_data ?? null,
    claim: request?.claimFor(answer) ?? null,
  });
  if (!created) return null;
  recordLoginStep({ requestId, flow: "hosted", sid, outcome: "issued" });
  return answer;
}

async function registeredDomain(tenant: Tenant, text: string) {
  const name = parseHostname(text, tenant.mode);
  const domain = name === null ? null : await findSessionDomain(tenant, name);
  if (name === null || !domain) throw notRegistered(text);
  if (!domain.verified && needsProof(tenant, name)) {
    throw new ApiError(
      "domain_not_verified",
      `${name} is registered but not verified yet. Verify it with POST /domains/${domain.id}/verify.`,
      { details: { domain: name, domain_id: domain.id } },
    );
  }
  return { ...domain, name };
}

/** Test mode always needs a proof, except for local and `.example` names; live mode, where the operator requires one. */
function needsProof({ mode }: Tenant, domain: string): boolean {
  return mode === "live" ? env().REQUIRE_VERIFIED_DOMAINS : !needsNoProofInTest(domain);
}

function notRegistered(domain: string): ApiError {
  return new ApiError("domain_not_registered", "Register this domain first, with POST /domains.", {
    details: { domain },
  });
}
