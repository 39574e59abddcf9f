import { loginCore, requireApproval } from "#lib/account/login.ts";
import { type ChangeKind, recordChange } from "#lib/account/store/history.ts";
import { inNameOf } from "#lib/account/store/in-name-of.ts";
import { requireAsker } from "#lib/approval/asker.ts";
import { HANDLERS } from "#lib/hosted/api/handlers.ts";
import { DELETE_DOMAIN, ROTATE_SECRET, UPDATE_DOMAIN } from "#lib/hosted/contract/domain.ts";
import type { Operation } from "#lib/hosted/contract/operation.ts";
import { matchOperationPath } from "#lib/hosted/contract/operations.ts";
import type { Tenant } from "#lib/hosted/contract/tenant.ts";
import { getDomain } from "#lib/hosted/domains/manage-domains.ts";
import { tenantLimit } from "#lib/hosted/keys/authenticate-key.ts";
import type { RunChange } from "#lib/platform/database/db.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import type { Call } from "#lib/platform/http/call.ts";

/**
 * What outlives the browser session that asks for it: who gets a domain's secret, where its events go, and whether it
 * is there. It needs an approval, and is shown to the user.
 */
const LASTING = new Map<Operation, ChangeKind>([
  [ROTATE_SECRET, "webhook_secret_rotated"],
  [UPDATE_DOMAIN, "webhook_url_changed"],
  [DELETE_DOMAIN, "domain_deleted"],
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
  for (const bound of HANDLERS) {
    if (bound.operation.method !== call.request.method) continue;
    const params = matchOperationPath(bound.operation, path);
    if (!params) continue;
    if (bound.operation.limit !== "other") await call.count(tenantLimit(bound.operation.limit, caller));
    return bound.run(caller, params, call, await changeOf(bound.operation, caller, params, call));
  }
  throw new ApiError("not_found", "There is nothing at this address.");
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
