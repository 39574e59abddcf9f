import { recordChange } from "#lib/account/store/history.ts";
import { withLockedSession } from "#lib/account/store/with-locked-session.ts";
import { bindOperations, OPERATION_HANDLERS } from "#lib/hosted/api/hosted-api.ts";
import { KEY_OPERATIONS, TEST_LOGIN_OPERATIONS } from "#lib/hosted/contract/console.ts";
import { DOMAIN_OPERATIONS } from "#lib/hosted/contract/domain.ts";
import type { Operation } from "#lib/hosted/contract/operation.ts";
import { findOperationHandler } from "#lib/hosted/contract/operations.ts";
import { isApiMode } from "#lib/hosted/contract/tenant.ts";
import { createTenantLimit } from "#lib/hosted/keys/authenticate-api-key.ts";
import { createApiKey, describeApiKey, revokeApiKey } from "#lib/hosted/keys/manage-keys.ts";
import { loginCore, requireApproval } from "#lib/login.ts";
import type { RunChange } from "#lib/platform/database/db.ts";
import { createEndpoint } from "#lib/platform/http/endpoint.ts";
import { createRequestLimit } from "#lib/platform/http/rate-limit.ts";
import type { ChangeKind } from "#packages/login/plugins/account/store/history.ts";
import { requireRequester } from "#packages/login/plugins/approvals/requester.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { findConsoleTenant } from "./console-tenant.ts";
import { readLoginTimeline, startTestLogin } from "./logins.ts";

const CONSOLE_HANDLERS = [
  ...OPERATION_HANDLERS,
  ...bindOperations(KEY_OPERATIONS, {
    createKey: ({ caller: { tenantId, mode }, body: { name }, change }) =>
      change((queries) => createApiKey(queries, tenantId, { mode, name }), describeApiKey),
    revokeKey: async ({ caller, params, change }) => {
      await change(
        (queries) => revokeApiKey(queries, caller.tenantId, params.id),
        (revoked) => (revoked.isNew ? describeApiKey(revoked) : null),
      );
      return undefined;
    },
  }),
  ...bindOperations(TEST_LOGIN_OPERATIONS, {
    startTestLogin: ({ caller, body, ...call }) => startTestLogin(caller, body, call),
    readTimeline: ({ caller, params }) => readLoginTimeline(caller, params.id),
  }),
];

/** Their effect outlasts the browser session, so they need an approval, and the user is notified of each. */
const NEEDS_APPROVAL = new Map<Operation, ChangeKind>([
  [KEY_OPERATIONS.createKey, "api_key_created"],
  [KEY_OPERATIONS.revokeKey, "api_key_revoked"],
  [DOMAIN_OPERATIONS.rotateSecret, "webhook_secret_rotated"],
  [DOMAIN_OPERATIONS.updateDomain, "webhook_url_changed"],
  [DOMAIN_OPERATIONS.deleteDomain, "domain_deleted"],
]);

/**
 * Runs an operation of the hosted API as the signed-in user's tenant in the path's mode. Uses the same validation, use
 * case and response as a request with an API key.
 * @throws {Refusal} 401 if signed out, 403 `approval_required` for a change that outlasts the session
 */
export const consoleApi = createEndpoint({ ownPagesOnly: true }, async (call) => {
  const { request, params, count } = call;
  const reads = request.method === "GET" || request.method === "HEAD";
  const { mode } = params;
  if (!isApiMode(mode)) throw refusal("not_found", "There is nothing at this URL.");
  const caller = await findConsoleTenant(mode);
  if (!caller) throw refusal("not_signed_in", "Your sign-in has ended. Sign in again.");
  // Counted separately from API keys, so that a thief who uses up a stolen key's limit cannot prevent the tenant from
  // revoking the key. Reads are also counted separately, so that open pages cannot prevent the revocation either.
  await count(createRequestLimit(reads ? "read_session" : "other", `console:${caller.tenantId}`));

  const path = new URL(request.url).pathname.slice(`/api/console/${mode}`.length);
  const found = findOperationHandler(CONSOLE_HANDLERS, request.method, path);
  const { operation } = found;
  if (!reads && operation.limit !== "other") await count(createTenantLimit(operation.limit, caller));
  return found.run(caller, found.params, call, runAsSession(request, NEEDS_APPROVAL.get(operation)));
});

/** A change that outlasts the session needs an approval, and is recorded in the same transaction. */
function runAsSession(request: Request, kind: ChangeKind | undefined): RunChange {
  return async (act, subject) => {
    if (!kind) {
      return withLockedSession(
        await requireRequester(loginCore(), request.headers),
        { needsApproval: false },
        act,
      );
    }
    const asker = await requireApproval(request);
    return withLockedSession(asker, { needsApproval: true }, async (queries) => {
      const result = await act(queries);
      const what = subject(result);
      if (what !== null) await recordChange(queries, asker, kind, what);
      return result;
    });
  };
}
