import type { HttpMethod } from "#lib/hosted/contract/operation.ts";
import { findOperationHandler } from "#lib/hosted/contract/operations.ts";
import { type createEndpoint, renderError } from "#lib/platform/http/endpoint.ts";
import { REQUEST_ID_HEADER } from "#packages/login/http/client-address.ts";
import type { ApiRoute } from "./api-routes.ts";

type Handler = ReturnType<typeof createEndpoint>;

/** One for each method, such as `POST /api/account/credentials`. GET includes HEAD. */
type OperationName<Route> = Route extends {
  path: infer Path extends string;
  methods: readonly (infer Method extends string)[];
}
  ? `${Exclude<Method, "HEAD">} ${Path}`
  : never;

/** The compiler checks that there is a handler for each of these routes in `api-routes.ts`, and no other. */
export function mountOperations<Routes extends readonly ApiRoute[]>(
  handlers: Record<OperationName<Routes[number]>, Handler>,
) {
  const mounted = Object.entries<Handler>(handlers).map(([name, handle]) => {
    const [method, path] = name.split(" ") as [HttpMethod, `/${string}`];
    return { operation: { method, path }, handle };
  });
  const answer: Handler = async (request) => {
    try {
      const { handle, params } = findOperationHandler(mounted, request.method, new URL(request.url).pathname);
      return handle(request, { params: Promise.resolve(params) });
    } catch (error) {
      return renderError(error, request.headers.get(REQUEST_ID_HEADER) ?? "");
    }
  };
  return { GET: answer, POST: answer, PATCH: answer, DELETE: answer };
}
