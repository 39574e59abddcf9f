import { isDatabaseUnavailable } from "../database/database-error.ts";
import { ERROR_STATUS, errorBody, Refusal, refusal } from "../protocol/errors.ts";
import type { RequestLimit } from "./request-limit.ts";

/** The input of an API handler. */
export type EndpointCall = {
  request: Request;
  /** The query. Each name has one value, because a repeated name is refused. */
  query: Record<string, string | undefined>;
  /** The values of the path segments that the route's pattern names. */
  params: Record<string, string | undefined>;
  requestId: string;
  /** The limit of the request's route, for a handler that counts the request, or null if the route has none. */
  limit: RequestLimit | null;
  /**
   * Counts the request towards another limit of the handler, unless a statement has already counted it. The response,
   * even an error, then has this limit's headers.
   * @throws {Refusal} 429 when the limit is used up
   */
  count(limit: RequestLimit): Promise<void>;
};

/** The checks that a request passes on its way to a handler. */
export type RequestChecks = {
  request: Request;
  params: EndpointCall["params"];
  requestId: string;
  /** Returns null if the request is not counted. If the function throws an error, the request is refused. */
  limit: () => RequestLimit | null;
  /**
   * True if the handler counts the request in its main SQL call (`EndpointCall.limit`). If the handler refuses the
   * request before that call, the request is counted afterwards. If false, the request is counted before the handler
   * runs.
   */
  countedByHandler?: boolean;
  /** Renders a thrown error as a response. */
  render: (error: unknown) => Response;
};

/** Counts a request, runs `handle`, and renders any error that it throws. */
export async function answerCall(
  checks: RequestChecks,
  handle: (call: EndpointCall) => Promise<Response>,
): Promise<Response> {
  const { request, params, requestId, countedByHandler = false, render } = checks;
  let limit = null as RequestLimit | null;
  const count = async (requestLimit: RequestLimit) => {
    limit = requestLimit;
    if (!requestLimit.counted) await requestLimit.take();
  };
  let response: Response;
  try {
    limit = checks.limit();
    if (countedByHandler) limit?.refuseIfExhausted();
    else await limit?.take();
    const query = readQuery(request.url);
    response = await handle({ request, query, params, requestId, limit, count });
  } catch (error) {
    response = render(error);
  }
  if (limit && !limit.counted) response = await countAfterAnswer(limit, response, render);
  else if (limit) addHeaders(response, limit.headers);
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
  return response;
}

/**
 * Counts a request after its response was created. If the request exceeds the limit, the response is replaced with a
 * 429 from `render`.
 */
export async function countAfterAnswer(
  limit: RequestLimit,
  answer: Response,
  render: (error: unknown) => Response,
): Promise<Response> {
  const response = await limit.take().then(() => answer, render);
  addHeaders(response, limit.headers);
  return response;
}

/** Adds a limit's headers, except to a 429, which already has those of the limit that refused the request. */
function addHeaders(response: Response, headers: Record<string, string>): void {
  if (response.status === ERROR_STATUS.rate_limited) return;
  for (const [name, value] of Object.entries(headers)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
}

/** Returns a JSON response that caches must not store. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

/** Returns a plain-text response, for the fast login, that caches must not store. */
export function textResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers },
  });
}

/** Called with a thrown error, unless it is a refusal. */
export type OnFailure = (error: unknown, what: "database unavailable" | "request failed") => void;

/**
 * Returns the JSON response for an error: a refusal with its own status, an unreachable database as 503, the rest as
 * 500.
 */
export function errorResponse(error: unknown, onFailure: OnFailure): Response {
  const { status, code, message, details, headers } = toRefusal(error, onFailure);
  return jsonResponse(status, errorBody(code, message, details), headers);
}

/** Like `errorResponse`, but with a line of text that begins with "Error:" (docs/protocol.md#6-fast-login). */
export function textErrorResponse(error: unknown, onFailure: OnFailure): Response {
  const { status, message, headers } = toRefusal(error, onFailure);
  return textResponse(status, `Error: ${message}`, headers);
}

/** Returns the refusal that a caller receives for a thrown error. */
export function toRefusal(error: unknown, onFailure: OnFailure): Refusal {
  if (error instanceof Refusal) return error;
  if (isDatabaseUnavailable(error)) {
    onFailure(error, "database unavailable");
    const headers = { "Retry-After": "2" };
    return refusal("service_unavailable", "The service is busy. Try again in a moment.", { headers });
  }
  onFailure(error, "request failed");
  return refusal("internal_error", "Something failed on our side. Try again in a moment.");
}

function readQuery(url: string): Record<string, string | undefined> {
  const query: Record<string, string | undefined> = Object.create(null);
  const at = url.indexOf("?");
  if (at < 0) return query;
  for (const [name, value] of new URLSearchParams(url.slice(at))) {
    if (query[name] !== undefined) {
      throw refusal("invalid_request", `The query names "${name.slice(0, 50)}" more than once.`);
    }
    query[name] = value;
  }
  return query;
}
