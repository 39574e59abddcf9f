import { type RunChange, runChangeWithoutSession } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { createEndpoint } from "#lib/platform/http/endpoint.ts";
import { type EndpointCall, jsonResponse } from "#packages/login/http/call.ts";
import { parseBody, parseOptionalBody, parseQuery, readBodyBytes } from "#packages/login/http/read-body.ts";
import { DOMAIN_OPERATIONS } from "../contract/domain.ts";
import { EVENT_OPERATIONS } from "../contract/event.ts";
import { createOpenApiDocument } from "../contract/openapi.ts";
import type {
  Operation,
  OperationBody,
  OperationQuery,
  OperationResult,
  PathParams,
} from "../contract/operation.ts";
import { findOperationHandler, OPENAPI_PATH } from "../contract/operations.ts";
import { SESSION_OPERATIONS } from "../contract/session.ts";
import { API_BASE_PATHS, type ApiMode, type Tenant } from "../contract/tenant.ts";
import { SIGNATURE_OPERATIONS } from "../contract/verify.ts";
import { deleteDomain, getDomain, listDomains, updateDomain } from "../domains/manage-domains.ts";
import { createDomain } from "../domains/register-domain.ts";
import { verifyDomain } from "../domains/verify-domain.ts";
import { rotateWebhookSecret } from "../domains/webhook-secret.ts";
import { getDelivery, listDeliveries, resendDelivery, sendTestEvent } from "../events/manage-deliveries.ts";
import { authenticateApiKey } from "../keys/authenticate-api-key.ts";
import { createSession } from "../sessions/create-session.ts";
import { listSessions, readSession, refreshSession } from "../sessions/manage-sessions.ts";
import { verifySubmittedSignature } from "./verify-signature.ts";

/** After authentication and parsing. */
type OperationCall<Op extends Operation> = {
  caller: Tenant;
  params: PathParams<Op["path"]>;
  query: OperationQuery<Op>;
  body: OperationBody<Op>;
  headers: Headers;
  requestId: string;
  change: RunChange;
};

type BoundOperation = {
  operation: Operation;
  run(
    caller: Tenant,
    params: Record<string, string>,
    call: EndpointCall,
    change?: RunChange,
  ): Promise<Response>;
};

/**
 * The use cases' input and output must match the operations' schemas. Parses each response before sending it, so that
 * it contains only documented fields.
 */
export function bindOperations<const Ops extends Record<string, Operation>>(
  operations: Ops,
  handlers: {
    [Id in keyof Ops]: (
      call: OperationCall<Ops[Id]>,
    ) => Promise<OperationResult<Ops[Id]>> | OperationResult<Ops[Id]>;
  },
): BoundOperation[] {
  return Object.entries(operations).map(([id, operation]) => ({
    operation,
    async run(caller, params, { request, requestId, query }, change = runChangeWithoutSession) {
      // Reads the body even if the operation does not use it, so that the limits on bodies apply.
      if (!operation.body) await readBodyBytes(request);
      const readBody = operation.bodyIsOptional ? parseOptionalBody : parseBody;
      // TypeScript cannot infer these literal types from the operation's schemas and path.
      const input = {
        caller,
        params,
        query: operation.query && parseQuery(query, operation.query),
        body: operation.body && (await readBody(request, operation.body)),
        headers: request.headers,
        requestId,
        change,
      } as OperationCall<Ops[string]>;
      const answer = await handlers[id]?.(input);
      const { status, schema } = operation.success;
      if (!schema) return new Response(null, { status, headers: { "Cache-Control": "no-store" } });
      return jsonResponse(status, schema.parse(answer));
    },
  }));
}

export const OPERATION_HANDLERS = [
  ...bindOperations(SESSION_OPERATIONS, {
    createSession: ({ caller, body, headers, requestId }) =>
      createSession(caller, body, { requestId, idempotencyKey: headers.get("idempotency-key") }),
    listSessions: ({ caller, query }) => listSessions(caller, query),
    getSession: ({ caller, params }) => readSession(caller, params.id),
    refreshSession: ({ caller, params, body, requestId }) =>
      refreshSession(caller, params.id, body, requestId),
  }),
  ...bindOperations(SIGNATURE_OPERATIONS, {
    verifySignature: ({ body }) => verifySubmittedSignature(body),
  }),
  ...bindOperations(DOMAIN_OPERATIONS, {
    listDomains: ({ caller, query }) => listDomains(caller, query),
    createDomain: ({ caller, body, change }) => createDomain(caller, body, change),
    getDomain: ({ caller, params }) => getDomain(caller, params.id),
    updateDomain: ({ caller, params, body, change }) => updateDomain(caller, params.id, body, change),
    deleteDomain: ({ caller, params, change }) => deleteDomain(caller, params.id, change),
    verifyDomain: ({ caller, params }) => verifyDomain(caller, params.id),
    rotateSecret: ({ caller, params, change }) => rotateWebhookSecret(caller, params.id, change),
    sendTestEvent: ({ caller, params }) => sendTestEvent(caller, params.id),
  }),
  ...bindOperations(EVENT_OPERATIONS, {
    listDeliveries: ({ caller, query }) => listDeliveries(caller, query),
    getDelivery: ({ caller, params }) => getDelivery(caller, params.id),
    resendDelivery: ({ caller, params }) => resendDelivery(caller, params.id),
  }),
];

/** The table of operations defines each request's use case, caller, limit and response. */
export function createHostedApi(mode: ApiMode) {
  const handle = createEndpoint({}, async (call) => {
    const { url, method } = call.request;
    const pathname = new URL(url).pathname.slice(API_BASE_PATHS[mode].length);
    // For this path, the gate accepts only GET and HEAD.
    if (pathname === OPENAPI_PATH)
      return jsonResponse(200, createOpenApiDocument(env().APP_URL.origin, mode));
    const { operation, params, run } = findOperationHandler(OPERATION_HANDLERS, method, pathname);
    const caller = await authenticateApiKey(call, { mode, limitName: operation.limit });
    return run(caller, params, call);
  });
  return { GET: handle, POST: handle, PATCH: handle, DELETE: handle };
}
