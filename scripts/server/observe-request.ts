import type { IncomingMessage, ServerResponse } from "node:http";
import { getMeters, type Meters } from "#lib/platform/observe/meters.ts";
import { getTracing, type OpenSpan } from "#lib/platform/observe/tracing.ts";
import { findRoutePattern } from "#lib/routes/route-pattern.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Health checks and static files, which are not traced: their many traces would hide all others. */
const UNTRACED = ["/healthz", "/readyz", "/metrics", "/_next/*"];

/**
 * Does nothing if neither metrics nor tracing is configured.
 * @param options.trusted true if the proxy in front of the server may set a request's trace
 */
export function observeRequest(answer: Answer, { trusted }: { trusted: boolean }): Answer {
  return (request, response) => {
    const counting = getMeters();
    const spans = getTracing();
    if (!counting && !spans) return answer(request, response);
    // The URL is read before the gate, which might rewrite it.
    const { method, route } = describe(request);
    if (counting) count(counting, method, route, response);
    if (!spans || UNTRACED.includes(route)) return answer(request, response);
    const options = {
      kind: "SERVER",
      attributes: { "http.request.method": method, "http.route": route },
      traceparent: trusted ? String(request.headers.traceparent ?? "") : undefined,
    } as const;
    spans.within(`${method} ${route}`, options, (span) => {
      response.once("close", () => endSpan(span, response));
      answer(request, response);
    });
  };
}

function describe({ method = "", url = "" }: IncomingMessage) {
  const end = url.indexOf("?");
  return {
    method: METHODS.includes(method) ? method : "other",
    route: findRoutePattern(end < 0 ? url : url.slice(0, end)),
  };
}

function count(counting: Meters, method: string, route: string, response: ServerResponse): void {
  const startedAt = performance.now();
  response.once("close", () => {
    const seconds = (performance.now() - startedAt) / 1000;
    counting.answered({ method, route, status: statusOf(response), seconds });
  });
}

function endSpan(span: OpenSpan, response: ServerResponse): void {
  const status = statusOf(response);
  span.set({
    "http.response.status_code": response.statusCode,
    "svc.request_id": String(response.getHeader("X-Request-Id")),
  });
  span.end(response.statusCode >= 500 || status === "aborted" ? status : undefined);
}

function statusOf(response: ServerResponse): string {
  return response.writableFinished ? String(response.statusCode) : "aborted";
}
