import "server-only";
import { DELETE_DOMAIN, ROTATE_SECRET, UPDATE_DOMAIN } from "#lib/contracts/hosted/domain.ts";
import { matchOperationPath } from "#lib/contracts/hosted/match-operation.ts";
import type { Operation } from "#lib/contracts/hosted/operation.ts";
import { ApiError } from "#lib/core/api-error.ts";
import type { Call } from "#lib/core/http/endpoint.ts";
import type { ChangeKind } from "#lib/store/login-event.ts";
import { recordChange } from "../account/changes.ts";
import { requireApproval } from "../auth/require-approval.ts";
import { getDomain } from "../domains/manage-domains.ts";
import type { BoundOperation } from "../hosted/bind-operation.ts";
import { HANDLERS } from "../hosted/handlers.ts";
import { ownerLimit } from "../keys/authenticate-key.ts";
import type { ConsoleCaller } from "./console-tenant.ts";

/**
 * What outlives the browser session that asks for it: who gets a domain's secret, where its events go, and whether it
 * is there. It needs an approval, and is shown to the user's other browsers.
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
export async function runConsoleOperation(caller: ConsoleCaller, call: Call): Promise<Response> {
  const { pathname } = new URL(call.request.url);
  const path = pathname.slice(`/api/console/${caller.mode}`.length);
  for (const bound of HANDLERS) {
    if (bound.operation.method !== call.request.method) continue;
    const params = matchOperationPath(bound.operation, path);
    if (!params) continue;
    if (bound.operation.limit !== "other") {
      const limit = ownerLimit(bound.operation.limit, caller);
      call.carry(limit);
      await limit.take();
    }
    const change = LASTING.get(bound.operation);
    return change ? runLasting(change, bound, caller, params, call) : bound.run(caller, params, call);
  }
  throw new ApiError("not_found", "There is nothing at this address.");
}

async function runLasting(
  change: ChangeKind,
  { run }: BoundOperation,
  caller: ConsoleCaller,
  params: Record<string, string>,
  call: Call,
): Promise<Response> {
  await requireApproval(caller.session);
  // Asked for first: it may be gone afterwards.
  const { domain } = await getDomain(caller, params.id ?? "");
  const response = await run(caller, params, call);
  await recordChange(caller.session, change, `${domain} (${caller.mode})`);
  return response;
}
