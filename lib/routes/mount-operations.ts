import { matchOperationPath } from "#lib/hosted/contract/operations.ts";
import { ApiError } from "#lib/login/http/api-error.ts";
import { REQUEST_ID } from "#lib/login/http/client-address.ts";
import { type endpoint, renderError } from "#lib/platform/http/endpoint.ts";
import type { ApiRoute } from "./api-routes.ts";

type Handler = ReturnType<typeof endpoint>;

/** `POST /api/account/credentials`, for each method of a route; HEAD comes with GET. */
type OperationName<Route> = Route extends {
  path: infer Path extends string;
  methods: readonly (infer Method extends string)[];
}
  ? `${Exclude<Method, "HEAD">} ${Path}`
  : never;

/**
 * The route handlers of a catch-all. Every route of its part of the table (`api-routes.ts`) has a handler here, and
 * nothing else has: the compiler sees to it.
 */
export function mountOperations<Routes extends readonly ApiRoute[]>(
  handlers: Record<OperationName<Routes[number]>, Handler>,
) {
  const mounted = Object.entries<Handler>(handlers).map(([name, handle]) => {
    const [method, path] = name.split(" ") as [string, `/${string}`];
    return { method, path, handle };
  });
  const answer: Handler = async (request) => {
    const { pathname } = new URL(request.url);
    const asked = request.method === "HEAD" ? "GET" : request.method;
    for (const { method, path, handle } of mounted) {
      const params = method === asked ? matchOperationPath({ path }, pathname) : null;
      if (params) return handle(request, { params: Promise.resolve(params) });
    }
    // The gate has answered these already, from the same table.
    const unknown = new ApiError("not_found", "There is nothing at this address. Check the path.");
    return renderError(unknown, request.headers.get(REQUEST_ID) ?? "");
  };
  return { GET: answer, POST: answer, PATCH: answer, DELETE: answer };
}
