import { loginCore, requireApproval } from "#lib/account/login.ts";
import { type ChangeKind, recordChange } from "#lib/account/store/history.ts";
import { inNameOf } from "#lib/account/store/in-name-of.ts";
import { requireAsker } from "#lib/approval/asker.ts";
import { findOperation } from "#lib/hosted/api/hosted-api.ts";
import { DOMAIN_OPERATIONS } from "#lib/hosted/contract/domain.ts";
import type { Operation } from "#lib/hosted/contract/operation.ts";
import type { Tenant } from "#lib/hosted/contract/tenant.ts";
import { getDomain } from "#lib/hosted/domains/manage-domains.ts";
import { tenantLimit } from "#lib/hosted/keys/authenticate-key.ts";
import type { RunChange } from "#lib/platform/database/db.ts";
import type { Call } from "#lib/platform/http/call.ts";

/**
 * What outlives the browser session that asks for it: who gets a domain's secret, where its events go, and whether it
 * is there. It needs an approval, and is shown to the user.
 */
const LASTING = new Map<Operation, ChangeKind>([
  [DOMAIN_OPERATIONS.rotateSecret, "webhook_secret_rotated"],
  [DOMAIN_OPERATIONS.updateDomain, "webhook_url_changed"],
  [DOMAIN_OPERATIONS.deleteDomain, "domain_deleted"],
]);

/**
 * Carries out an operation of the hosted API for a user of the console: the same use case, validation and answer as
 * for an API key, so that the console can do what the API can and nothing else, as often. What only reads is not here:
 * pages ask the use cases themselves.
 * @throws {ApiError} 403 `approval_required` for what outlives the session
 */
export async function runConsoleOperation(caller: Tenant, call: Call): Promise<Response> {
  const { pathname } = new URL(call.request.url);
  const path = pathname.slice(`/api/console/${caller.mode}`.length);
  const { operation, params, run } = findOperation(call.request.method, path);
  if (operation.limit !== "other") await call.count(tenantLimit(operation.limit, caller));
  return run(caller, params, call, await changeOf(operation, caller, params, call));
}

/** How an operation changes anything: in the name of the browser session that asks, and recorded if it outlives that. */
async function changeOf(
  operation: Operation,
  caller: Tenant,
  params: Record<string, string>,
  { request }: Call,
): Promise<RunChange> {
  const kind = LASTING.get(operation);
  if (!kind) {
    const asker = await requireAsker(loginCore(), request.headers);
    return (act) => inNameOf(asker, { needsApproval: false }, act);
  }
  const asker = await requireApproval(request);
  // Asked for first: it may be gone afterwards.
  const { domain } = await getDomain(caller, params.id ?? "");
  return (act) =>
    inNameOf(asker, { needsApproval: true }, async (queries) => {
      const changed = await act(queries);
      if (changed) await recordChange(queries, asker, kind, `${domain} (${caller.mode})`);
      return changed;
    });
}
