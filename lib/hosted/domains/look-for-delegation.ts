import {
  DELEGATION_DEADLINE_SECONDS,
  delegationUrl,
  readDelegation,
} from "#lib/delegation/delegation-file.ts";
import { NO_PUBLIC_ADDRESS, type OutboundPolicy } from "#lib/platform/net/outbound-policy.ts";
import { sendRequest } from "#lib/platform/net/send-request.ts";
import type { DomainDelegation } from "../contract/domain.ts";
import type { ApiMode } from "../contract/tenant.ts";

/** What was found. */
export type FoundDelegation = Pick<DomainDelegation, "status" | "reason">;

/**
 * Looks for a domain's delegation as a wallet does, in a browser too, and tells whether wallets would send their answers
 * to this API (docs/protocol.md#9-delegation). Whatever the other side does is a finding.
 * @param input.apiHost the host name that wallets post to
 */
export async function lookForDelegation(
  { domain, mode, apiHost }: { domain: string; mode: ApiMode; apiHost: string },
  policy: OutboundPolicy,
  signal?: AbortSignal,
): Promise<FoundDelegation> {
  if (domain === apiHost) return { status: "ok", reason: null };
  const url = delegationUrl(domain);
  // Names of this machine, which only a wallet on the same machine can ask.
  const elsewhere = url.startsWith("http:") && policy.publicOnly;
  const result = elsewhere
    ? { status: null, error: NO_PUBLIC_ADDRESS }
    : await sendRequest({
        url,
        method: "GET",
        headers: { Accept: "application/json", "User-Agent": "svc-delegation-check/1" },
        policy,
        deadlineSeconds: DELEGATION_DEADLINE_SECONDS,
        signal,
      });
  if (result.status === null) {
    const unseen = mode === "test" && result.error === NO_PUBLIC_ADDRESS;
    return { status: unseen ? "unchecked" : "missing", reason: result.error };
  }
  const { status, headers, body, cut } = result;
  if (cut && status === 200) return { status: "invalid", reason: cut };
  const read = readDelegation({ status, contentType: headers["content-type"] ?? null, body }, domain);
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
