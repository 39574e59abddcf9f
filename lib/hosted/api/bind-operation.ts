import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import { byItself, type RunChange } from "#lib/platform/database/db.ts";
import { type Call, jsonResponse } from "#lib/platform/http/call.ts";
import { parseBody, parseQuery } from "#lib/platform/http/parse-body.ts";
import { readBytes } from "#lib/platform/http/read-json.ts";
import type { AnswerOf, BodyOf, Operation, PathParams, QueryOf } from "../contract/operation.ts";
import type { Tenant } from "../contract/tenant.ts";

/** A request of an operation, authenticated and parsed by the operation's own schemas. */
export type OperationCall<Op extends Operation> = {
  caller: Tenant;
  params: PathParams<Op["path"]>;
  query: QueryOf<Op>;
  body: BodyOf<Op>;
  headers: SentHeaders;
  requestId: string;
  /** Runs what the request changes for good. */
  change: RunChange;
};

/** An operation with what carries it out. */
export type BoundOperation = {
  operation: Operation;
  /** Parses the request, carries it out, and parses the answer. */
  run(caller: Tenant, params: Record<string, string>, call: Call, change?: RunChange): Promise<Response>;
};

/**
 * Binds an operation to its use case. Input and output have to match the operation's schemas. The answer is parsed
 * before it is sent, so that nothing outside the reference leaves.
 */
export function bindOperation<const Op extends Operation>(
  operation: Op,
  handle: (call: OperationCall<Op>) => Promise<AnswerOf<Op>> | AnswerOf<Op>,
): BoundOperation {
  return {
    operation,
    async run(caller, params, { request, requestId, query }, change = byItself) {
      // A body that the operation does not use has the same limits.
      if (!operation.body) await readBytes(request);
      // TypeScript cannot follow the literal types from the operation's schemas and path.
      const input = {
        caller,
        params,
        query: operation.query && parseQuery(query, operation.query),
        body: operation.body && (await parseBody(request, operation.body)),
        headers: request.headers,
        requestId,
        change,
      } as OperationCall<Op>;
      const answer = await handle(input);
      const { status, schema } = operation.success;
      if (!schema) return new Response(null, { status, headers: { "Cache-Control": "no-store" } });
      return jsonResponse(status, schema.parse(answer));
    },
  };
}
