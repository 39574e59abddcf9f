import { errorBody, Refusal } from "#lib/login/protocol/errors.ts";
import type { Database } from "#lib/login/store/database.ts";
import { isDatabaseUnavailable } from "../database/database-error.ts";
import { database } from "../database/db.ts";
import { log } from "../log.ts";
import { ApiError } from "./api-error.ts";
import { countingDatabase } from "./counting-database.ts";
import { REQUEST_ID } from "./headers.ts";
import { type LimitName, limitOfClient, type RequestLimit } from "./rate-limit.ts";

/** What a handler of the API gets. */
export type Call = {
  request: Request;
  /** The query, each name once (a second value is refused). */
  query: Record<string, string | undefined>;
  /** The segments that the route's pattern names. */
  params: Record<string, string | undefined>;
  requestId: string;
  /** Where the endpoint's own statement counts the request (`countedWithQuery`), the first one does. */
  database: Database;
  /**
   * Lets the answer, whatever it becomes, carry the headers of a limit of somebody other than the client's address.
   * The handler sees to it that the request is counted.
   */
  carry(limit: RequestLimit): void;
};

// A route without dynamic segments gets no params, whatever the framework's types say.
type RouteContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> };

type Render = (error: unknown, requestId: string, accept: string) => Response;

/** The limit of an endpoint, counted by client address. */
export type EndpointLimit = {
  limit?: LimitName;
  /**
   * The handler's first statement on `Call.database` counts the request; what is refused before it came to that is
   * counted afterwards. Without it every request is counted before it is looked at.
   */
  countedWithQuery?: boolean;
};

/**
 * Makes a route handler: counts the request against a limit, runs `handle`, and renders whatever is thrown as the
 * error body of specification 7, with `plainText` as flow C's text, or by `render`. Nothing that is not an `ApiError` reaches the
 * caller's eyes.
 */
export function endpoint(
  options: EndpointLimit & { plainText?: boolean; render?: Render },
  handle: (call: Call) => Promise<Response>,
) {
  return async (request: Request, context: RouteContext): Promise<Response> => {
    const requestId = request.headers.get(REQUEST_ID) ?? "";
    const accept = request.headers.get("accept") ?? "";
    const renderer = options.render ?? (options.plainText ? renderTextError : renderError);
    const render = (error: unknown) => renderer(error, requestId, accept);
    let limit = options.limit ? limitOfClient(options.limit, request) : null;
    const carry = (carried: RequestLimit) => {
      limit = carried;
    };
    let response: Response;
    try {
      if (options.countedWithQuery) limit?.refuseIfExhausted();
      else await limit?.take();
      const query = readQuery(request.url);
      const params = readParams((await context.params) ?? {});
      const counts = options.countedWithQuery && limit;
      const port = counts ? countingDatabase(database(), counts) : database();
      response = await handle({ request, query, params, requestId, database: port, carry });
    } catch (error) {
      response = render(error);
    }
    if (limit && !limit.counted) response = await countAfterwards(limit, response, render);
    else if (limit) setHeaders(response, limit.headers);
    if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
    return response;
  };
}

/** Counts a request whose answer is known already; one that was over the limit gets `render`'s 429 instead. */
export async function countAfterwards(
  limit: RequestLimit,
  answer: Response,
  render: (error: unknown) => Response,
): Promise<Response> {
  const response = await limit.take().then(() => answer, render);
  setHeaders(response, limit.headers);
  return response;
}

function setHeaders(response: Response, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
}

/** A JSON answer; never stored by anyone on the way. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
}

/** A plain-text answer, as flow C's are; never stored by anyone on the way. */
export function textResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}

/** Renders what was thrown: an `ApiError` as it says, a database that is away as 503, the rest as 500. */
export function renderError(error: unknown, requestId: string): Response {
  const { status, code, message, details, headers } = toRefusal(error, requestId);
  return jsonResponse(status, errorBody(code, message, details), headers);
}

/** The same in plain text: a message beginning "Error:" (specification 4.3, rule 3). */
function renderTextError(error: unknown, requestId: string): Response {
  const { status, message, headers } = toRefusal(error, requestId);
  return textResponse(status, `Error: ${message}`, headers);
}

function toRefusal(error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  if (isDatabaseUnavailable(error)) {
    log().warn({ requestId, error }, "database unavailable");
    const headers = { "Retry-After": "2" };
    return new ApiError("service_unavailable", "The service is busy. Try again in a moment.", { headers });
  }
  log().error({ requestId, error }, "request failed");
  return new ApiError("internal_error", "Something failed on our side. Try again in a moment.");
}

function readQuery(url: string): Record<string, string | undefined> {
  const query: Record<string, string | undefined> = Object.create(null);
  const at = url.indexOf("?");
  if (at < 0) return query;
  for (const [name, value] of new URLSearchParams(url.slice(at))) {
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
