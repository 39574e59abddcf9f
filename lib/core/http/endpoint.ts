import "server-only";
import { type ErrorBody, errorBody } from "#lib/contracts/error.ts";
import { ApiError } from "../api-error.ts";
import { isDatabaseUnavailable } from "../db.ts";
import { log } from "../log.ts";
import { CLIENT_ADDRESS, REQUEST_ID } from "./headers.ts";
import { type LimitName, takeFromLimit } from "./rate-limit.ts";

/** What a handler of the API gets. */
export type Call = {
  request: Request;
  /** The query, each name once (a second value is refused). */
  query: Record<string, string | undefined>;
  /** The segments that the route's pattern names. */
  params: Record<string, string | undefined>;
  requestId: string;
  /**
   * Counts the request against a limit of somebody other than the client's address; the answer carries its
   * headers, whatever it becomes.
   */
  count(name: LimitName, caller: string): Promise<void>;
};

// A route without dynamic segments gets no params, whatever the framework's types say.
type RouteContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> };

/**
 * Makes a route handler of flow A or B: counts the request against a limit, runs `handle`, and renders whatever
 * is thrown as the error body of specification 7. Nothing that is not an `ApiError` reaches the caller's eyes.
 */
export function endpoint(options: { limit?: LimitName }, handle: (call: Call) => Promise<Response>) {
  return async (request: Request, context: RouteContext): Promise<Response> => {
    const requestId = request.headers.get(REQUEST_ID) ?? "";
    let limitHeaders: Record<string, string> = {};
    const count = async (name: LimitName, caller: string) => {
      limitHeaders = await takeFromLimit(name, caller);
    };
    let response: Response;
    try {
      if (options.limit) await count(options.limit, request.headers.get(CLIENT_ADDRESS) ?? "unknown");
      const query = readQuery(new URL(request.url).searchParams);
      const params = readParams((await context.params) ?? {});
      response = await handle({ request, query, params, requestId, count });
    } catch (error) {
      response = renderError(error, requestId);
    }
    for (const [name, value] of Object.entries(limitHeaders)) response.headers.set(name, value);
    if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
    return response;
  };
}

/** A JSON answer; never stored by anyone on the way. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
}

/** Renders what was thrown: an `ApiError` as it says, a database that is away as 503, the rest as 500. */
export function renderError(error: unknown, requestId: string): Response {
  if (error instanceof ApiError) {
    return jsonResponse(error.status, errorBody(error.code, error.message, error.details), error.headers);
  }
  if (isDatabaseUnavailable(error)) {
    log().warn({ requestId, error }, "database unavailable");
    const body: ErrorBody = errorBody("service_unavailable", "The service is busy. Try again in a moment.");
    return jsonResponse(503, body, { "Retry-After": "2" });
  }
  log().error({ requestId, error }, "request failed");
  return jsonResponse(
    500,
    errorBody("internal_error", "Something failed on our side. Try again in a moment."),
  );
}

function readQuery(search: URLSearchParams): Record<string, string | undefined> {
  const query: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of search) {
    if (query[name] !== undefined) {
      throw new ApiError("invalid_request", `The query names "${name.slice(0, 50)}" more than once.`);
    }
    query[name] = value;
  }
  return query;
}

function readParams(
  params: Record<string, string | string[] | undefined>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? value.join("/") : value]),
  );
}
