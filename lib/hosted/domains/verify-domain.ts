import { db, type PrismaQueries } from "#lib/platform/database/db.ts";
import { getOutboundPolicy, type OutboundPolicy } from "#lib/platform/net/outbound-policy.ts";
import { NameResolutionError, resolveTxt } from "#lib/platform/net/resolve.ts";
import { sendOutboundRequest } from "#lib/platform/net/send-outbound-request.ts";
import { isUniqueViolation } from "#packages/login/database/database-error.ts";
import { now } from "#packages/login/process/state.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import type { ProofFinding } from "../contract/domain.ts";
import type { Tenant } from "../contract/tenant.ts";
import { checkDelegation } from "./check-delegation.ts";
import { explainTokenMismatch, PROOF_TOKEN_PREFIX } from "./explain-token-mismatch.ts";
import { type DomainRow, requireDomain, unknownDomainRefusal } from "./manage-domains.ts";

/**
 * `POST /domains/{id}/verify` (docs/protocol.md#54-domains). A verified domain remains verified even without the token.
 */
export async function verifyDomain(tenant: Tenant, id: string) {
  const domain = await requireDomain(tenant, id);
  await checkDelegation({ id, domain: domain.domain, mode: tenant.mode });
  const verifiedAt = domain.verifiedAt ?? (await prove(tenant, domain));
  return { id, domain: domain.domain, verified: true as const, verified_at: verifiedAt.toISOString() };
}

async function prove(tenant: Tenant, domain: DomainRow): Promise<Date> {
  const policy = getOutboundPolicy(tenant.mode);
  const { proved, findings } = await findDomainProof(domain.domain, domain.verificationToken, policy);
  const at = now();
  const lastCheck = { at: at.toISOString(), findings };
  await db().domain.updateMany({ where: { id: domain.id }, data: { lastCheck } });
  const failed = (message: string) =>
    refusal("domain_verification_failed", message, {
      details: { domain: domain.domain, expected: domain.verificationToken, checked: findings },
    });
  if (!proved) throw failed("We didn't find the token. Put it in one of the two places and try again.");
  try {
    const verifiedAt = await markDomainVerified(domain.id, at);
    if (!verifiedAt) throw unknownDomainRefusal();
    return verifiedAt;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw failed("The token was found, but this domain belongs to another account, which verified it first.");
  }
}

/**
 * @returns when the domain was first verified, or null if it was deleted
 * @throws a unique violation if another tenant has verified the live domain
 */
export async function markDomainVerified(
  id: string,
  at: Date,
  queries: PrismaQueries = db(),
): Promise<Date | null> {
  const rows = await queries.$queryRaw<{ verified_at: Date }[]>`
    UPDATE domain SET verified_at = COALESCE(verified_at, ${at}::timestamptz) WHERE id = ${id} RETURNING verified_at`;
  return rows[0]?.verified_at ?? null;
}

const CHALLENGE_LABEL = "_svc-challenge";
const WELL_KNOWN_PATH = "/.well-known/svc-challenge.txt";
const SHOWN_CHARACTERS = 100;
const SHOWN_RECORDS = 5;

/** `proved` is true if this place contains the token. */
type Look = ProofFinding & { proved: boolean };

/**
 * Looks for a domain's token in three places simultaneously: the TXT records of the domain and of
 * `_svc-challenge.<domain>`, and the well-known file. Reports a failed lookup as a finding.
 */
export async function findDomainProof(
  domain: string,
  token: string,
  policy: OutboundPolicy,
): Promise<{ proved: boolean; findings: ProofFinding[] }> {
  const looks = await Promise.all([
    checkTxtProof(domain, token, policy),
    checkTxtProof(`${CHALLENGE_LABEL}.${domain}`, token, policy),
    checkFileProof(domain, token, policy),
  ]);
  return {
    proved: looks.some(({ proved }) => proved),
    findings: looks.map(({ looked_at, found }) => ({ looked_at, found })),
  };
}

async function checkTxtProof(name: string, token: string, policy: OutboundPolicy): Promise<Look> {
  const looked_at = `TXT ${name}`;
  try {
    const records = await resolveTxt(name, policy.nameServers);
    const proved = records.some((record) => record.trim() === token);
    return { looked_at, proved, found: proved ? "the token" : describeRecords(records, token) };
  } catch (error) {
    if (!(error instanceof NameResolutionError)) throw error;
    return { looked_at, proved: false, found: error.message };
  }
}

/** Shows the tenant only records that begin like a token, and counts all others. */
function describeRecords(records: string[], token: string): string {
  if (records.length === 0) return "no TXT record";
  const texts = records.map((record) => record.trim());
  const tokens = texts.filter((text) => text.startsWith(PROOF_TOKEN_PREFIX));
  const nearMisses = texts.flatMap((text) => explainTokenMismatch(text, token) ?? []);
  const shownTokens = [...new Set(nearMisses), ...tokens.slice(0, SHOWN_RECORDS).map(quoteToken)];
  const more = tokens.length - SHOWN_RECORDS;
  if (more > 0) shownTokens.push(`${more} more beginning with ${PROOF_TOKEN_PREFIX}`);
  const otherCount = texts.length - tokens.length - nearMisses.length;
  if (otherCount > 0) shownTokens.push(`${otherCount} other record${otherCount === 1 ? "" : "s"}`);
  return shownTokens.join(", ");
}

async function checkFileProof(domain: string, token: string, policy: OutboundPolicy): Promise<Look> {
  const looked_at = `https://${domain}${WELL_KNOWN_PATH}`;
  const result = await sendOutboundRequest({
    url: looked_at,
    method: "GET",
    headers: { Accept: "text/plain", "User-Agent": "svc-domain-verification/1" },
    policy,
  });
  if (result.status === null) return { looked_at, proved: false, found: result.error };
  if (result.status !== 200) {
    const redirect = result.status >= 300 && result.status < 400 ? ", and redirects are not followed" : "";
    return { looked_at, proved: false, found: `status ${result.status}${redirect}` };
  }
  const text = result.body.toString("utf8").trim();
  const proved = result.cut === null && text === token;
  return { looked_at, proved, found: proved ? "the token" : describeFile(text, token) };
}

function describeFile(text: string, token: string): string {
  if (text === "") return "an empty file";
  const nearMisses = explainTokenMismatch(text, token);
  if (nearMisses !== null) return nearMisses;
  return text.startsWith(PROOF_TOKEN_PREFIX) ? quoteToken(text) : `${text.length} characters of another text`;
}

// The text comes from a third party. The response contains only its first word, shortened and without control or
// invisible characters.
function quoteToken(text: string): string {
  const [word = ""] = text.split(/\s/, 1);
  const plain = [...word.replace(/\p{C}/gu, "?")];
  const cut = plain.length > SHOWN_CHARACTERS || word.length < text.length;
  return `"${plain.slice(0, SHOWN_CHARACTERS).join("")}${cut ? "…" : ""}"`;
}
