import { answerCall, type EndpointCall, errorResponse, type OnFailure } from "#packages/login/http/call.ts";
import { REQUEST_ID_HEADER, requireClient } from "#packages/login/http/client-address.ts";
import { RETRY_LINK, renderPlainPage } from "#packages/login/http/plain-page.ts";
import type { LimitName } from "#packages/login/http/request-limit.ts";
import { ERROR_STATUS, Refusal } from "#packages/login/protocol/errors.ts";
import { withCallbackUrl } from "#packages/login/protocol/paths.ts";
import { assertSameOrigin, readTruncatedHeader } from "#packages/login/server/web-request.ts";
import { READ_METHODS } from "#packages/login/site/answer-login.ts";
import { env } from "../env.ts";
import { log } from "../log.ts";
import { brand } from "./brand.ts";
import { createRequestLimit } from "./rate-limit.ts";

// Next.js passes no params to a route without dynamic segments, although its types say that it does.
type RouteContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> };

type Render = (error: unknown, requestId: string, accept: string) => Response;

type EndpointOptions = {
  /** Per client address. */
  limit?: LimitName;
  /** True to refuse changes that another site's page requests with the user's cookie. Such requests are not counted. */
  ownPagesOnly?: boolean;
  /** Replaces `renderError`. */
  render?: Render;
};

/**
 * Renders errors as docs/protocol.md#21-errors or with `render`. Only refusals reach the caller; other errors are
 * logged.
 */
export function createEndpoint(options: EndpointOptions, handle: (call: EndpointCall) => Promise<Response>) {
  return async (request: Request, context: RouteContext): Promise<Response> => {
    const requestId = request.headers.get(REQUEST_ID_HEADER) ?? "";
    const accept = readTruncatedHeader(request.headers, "accept");
    const render = options.render ?? renderError;
    return answerCall(
      {
        request,
        params: readParams((await context.params) ?? {}),
        requestId,
        limit: () => {
          if (options.ownPagesOnly && !READ_METHODS.includes(request.method)) {
            assertSameOrigin(request, env().APP_URL);
          }
          const client = requireClient(request);
          return options.limit ? createRequestLimit(options.limit, client) : null;
        },
        render: (error) => render(error, requestId, accept),
      },
      handle,
    );
  };
}

export function renderError(error: unknown, requestId: string): Response {
  return errorResponse(error, failureLog(requestId));
}

/**
 * For a URL that people open. A browser receives a 429 as a small page, which does not need Next.js. All other errors,
 * and errors for other clients, are JSON.
 */
export function renderRateLimitPage(error: unknown, requestId: string, accept: string): Response {
  const answer = renderError(error, requestId);
  if (answer.status !== ERROR_STATUS.rate_limited || !acceptsHtml(accept)) return answer;
  const seconds = answer.headers.get("Retry-After");
  const advice = `Try again in ${seconds} ${seconds === "1" ? "second" : "seconds"}.`;
  const page = renderPlainPage(
    "Too many requests from your network",
    `Your account is not affected. ${advice}`,
    RETRY_LINK,
    brand(),
  );
  return pageInPlaceOf(answer, page);
}

/** For a URL to which the signed-in user's pages link. A browser receives every refusal as a small page. */
export function renderRefusalPage(error: unknown, requestId: string, accept: string): Response {
  const answer = renderError(error, requestId);
  if (!(error instanceof Refusal) || !acceptsHtml(accept)) return answer;
  return pageInPlaceOf(
    answer,
    error.code === "not_signed_in"
      ? renderPlainPage(
          "Your sign-in has ended",
          "Sign in again, then continue where you were.",
          SIGN_IN,
          brand(),
        )
      : renderPlainPage("That did not work", error.message, BACK, brand()),
  );
}

const SIGN_IN = { text: "Sign in", href: withCallbackUrl("/login", "/dashboard") };
const BACK = { text: "Back to the dashboard", href: "/dashboard" };

const acceptsHtml = (accept: string) => /\btext\/html\b/.test(accept);

function pageInPlaceOf({ status, headers }: Response, page: string): Response {
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(page, { status, headers });
}

function failureLog(requestId: string): OnFailure {
  return (error, what) => {
    if (what === "database unavailable") log().warn({ requestId, error }, what);
    else log().error({ requestId, error }, what);
  };
}

function readParams(
  params: Record<string, string | string[] | undefined>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? value.join("/") : value]),
  );
}
