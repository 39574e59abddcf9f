import { DELEGATION_DEADLINE_SECONDS, delegationUrl, parseDelegation } from "@svc/wallet/delegation-file";
import { db } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { log } from "#lib/platform/log.ts";
import {
  getOutboundPolicy,
  NO_PUBLIC_ADDRESS_MESSAGE,
  type OutboundPolicy,
} from "#lib/platform/net/outbound-policy.ts";
import { sendOutboundRequest } from "#lib/platform/net/send-outbound-request.ts";
import { now } from "#packages/login/process/state.ts";
import { addSeconds } from "#packages/login/protocol/numbers.ts";
import type { DomainDelegation } from "../contract/domain.ts";
import type { ApiMode } from "../contract/tenant.ts";
import { DELEGATION_CHECK_INTERVAL_SECONDS } from "../numbers.ts";

/** Per run. A run starts every minute, so 144,000 domains can be checked once a day. */
const RUN_LIMIT = 100;
/** Even if every domain hangs, a run ends after 15 s. */
const CONCURRENT_CHECKS = 20;

type CheckedDomain = { id: string; domain: string; mode: ApiMode };

/**
 * Checks a domain's delegation as wallets do, and stores the result (docs/protocol.md#9-delegation).
 * @param signal ends the check early, in which case nothing is stored
 */
export async function checkDelegation(
  { id, domain, mode }: CheckedDomain,
  signal?: AbortSignal,
): Promise<void> {
  const at = now();
  const query = { domain, mode, apiHost: env().DOMAIN };
  const found = await probeDelegation(query, getOutboundPolicy(mode), signal);
  if (signal?.aborted) return;
  const data = { delegationStatus: found.status, delegationCheckedAt: at, delegationReason: found.reason };
  await db().domain.updateMany({ where: { id }, data });
}

/**
 * Concurrently checks verified domains whose last check was over a day ago.
 * @returns the number of domains
 */
export async function checkStaleDelegations(signal: AbortSignal): Promise<number> {
  const staleDomains = await findStaleDelegations(addSeconds(now(), -DELEGATION_CHECK_INTERVAL_SECONDS));
  const waiting = staleDomains.values();
  const checkNext = async () => {
    for (const domain of waiting) {
      if (signal.aborted) return;
      // If one domain's check fails, the others continue.
      await checkDelegation(domain, signal).catch((error: unknown) =>
        log().warn({ error, domain: domain.id }, "a delegation was not checked"),
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, checkNext));
  return staleDomains.length;
}

/** Alternates between tenants, so that a tenant with many domains does not delay the others. */
async function findStaleDelegations(staleBefore: Date): Promise<CheckedDomain[]> {
  return db().$queryRaw`
    SELECT id, domain, mode FROM (
      SELECT id, domain, mode::text, delegation_checked_at,
        row_number() OVER (PARTITION BY owner_id ORDER BY delegation_checked_at NULLS FIRST) AS turn
      FROM domain
      WHERE verified_at IS NOT NULL
        AND (delegation_checked_at IS NULL OR delegation_checked_at < ${staleBefore}::timestamptz)
    ) AS stale
    ORDER BY turn, delegation_checked_at NULLS FIRST LIMIT ${RUN_LIMIT}`;
}

/**
 * Looks up the delegation as wallets do, including wallets in browsers (docs/protocol.md#9-delegation). Reports the
 * domain's faults as findings and never throws them.
 * @param input.apiHost the hostname to which wallets send their responses
 */
export async function probeDelegation(
  { domain, mode, apiHost }: { domain: string; mode: ApiMode; apiHost: string },
  policy: OutboundPolicy,
  signal?: AbortSignal,
): Promise<Pick<DomainDelegation, "status" | "reason">> {
  if (domain === apiHost) return { status: "ok", reason: null };
  const url = delegationUrl(domain);
  // Only loopback names use HTTP, and only wallets on the same machine can request such URLs.
  const isElsewhere = url.startsWith("http:") && policy.internalHosts === "none";
  const result = isElsewhere
    ? { status: null, error: NO_PUBLIC_ADDRESS_MESSAGE }
    : await sendOutboundRequest({
        url,
        method: "GET",
        headers: { Accept: "application/json", "User-Agent": "svc-delegation-check/1" },
        policy,
        deadlineSeconds: DELEGATION_DEADLINE_SECONDS,
        signal,
      });
  if (result.status === null) {
    const unseen = mode === "test" && result.error === NO_PUBLIC_ADDRESS_MESSAGE;
    return { status: unseen ? "unchecked" : "missing", reason: result.error };
  }
  const { status, headers, body, cut } = result;
  if (cut && status === 200) return { status: "invalid", reason: cut };
  const read = parseDelegation({ status, contentType: headers["content-type"] ?? null, body }, domain);
  if (read.status !== "ok") return { status: read.status, reason: read.reason };
  if (!read.hosts.includes(apiHost)) {
    return { status: "invalid", reason: `its "webhook_hosts" does not name ${apiHost}` };
  }
  if (headers["access-control-allow-origin"] !== "*") {
    const reason = "the answer has no Access-Control-Allow-Origin: *, so wallets in browsers cannot read it";
    return { status: "invalid", reason };
  }
  return { status: "ok", reason: null };
}
