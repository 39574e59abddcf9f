import { isDatabaseUnavailable } from "../database/database-error.ts";
import { ERROR_STATUS, errorBody, Refusal, refusal } from "../protocol/errors.ts";
import type { RequestLimit } from "./request-limit.ts";

export type EndpointCall = {
  request: Request;
  /** Requests that repeat a name are refused. */
  query: Record<string, string | undefined>;
  params: Record<string, string | undefined>;
  requestId: string;
  /** For handlers that count the request themselves. Null if the route has no limit. */
  limit: RequestLimit | null;
  /**
   * Counts the request against another limit, unless a statement has already counted it. The response, even an error
   * response, then has that limit's headers.
   * @throws {Refusal} 429 if the limit is exceeded
   */
  count(limit: RequestLimit): Promise<void>;
};

export type RequestChecks = {
  request: Request;
  params: EndpointCall["params"];
  requestId: string;
  limit: () => RequestLimit | null;
  /**
   * Whether the handler counts the request in its main SQL call (`EndpointCall.limit`). If the request is refused
   * before that call, it is counted afterwards. If false, the request is counted before the handler runs.
   */
  countedByHandler?: boolean;
  render: (error: unknown) => Response;
};

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
  if (limit && !limit.counted) response = await countAnsweredRequest(limit, response, render);
  else if (limit) addHeaders(response, limit.headers);
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
  return response;
}

/** If the request exceeds the limit, returns a 429 from `render` instead of `answer`. */
export async function countAnsweredRequest(
  limit: RequestLimit,
  answer: Response,
  render: (error: unknown) => Response,
): Promise<Response> {
  const response = await limit.take().then(() => answer, render);
  addHeaders(response, limit.headers);
  return response;
}

/** A 429 response already has the headers of the limit that was exceeded. */
function addHeaders(response: Response, headers: Record<string, string>): void {
  if (response.status === ERROR_STATUS.rate_limited) return;
  for (const [name, value] of Object.entries(headers)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
}

export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

/** For the fast login. */
export function textResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers },
  });
}

export type OnFailure = (error: unknown, what: "database unavailable" | "request failed") => void;

export function errorResponse(error: unknown, onFailure: OnFailure): Response {
  const { status, code, message, details, headers } = toRefusal(error, onFailure);
  return jsonResponse(status, errorBody(code, message, details), headers);
}

/** The text begins with "Error:" (docs/protocol.md#6-fast-login). */
export function textErrorResponse(error: unknown, onFailure: OnFailure): Response {
  const { status, message, headers } = toRefusal(error, onFailure);
  return textResponse(status, `Error: ${message}`, headers);
}

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
