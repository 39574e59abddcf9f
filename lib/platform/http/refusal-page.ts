import { ERROR_STATUS } from "#lib/login/http/api-error.ts";
import { plainPage } from "#lib/login/http/plain-page.ts";
import { renderError } from "./endpoint.ts";

/**
 * A 429 at an address for people: a small page for browsers, made without the framework. Every other error, and every
 * other client, gets the error body.
 */
export function renderForPeople(error: unknown, requestId: string, accept: string): Response {
  const answer = renderError(error, requestId);
  if (answer.status !== ERROR_STATUS.rate_limited || !/\btext\/html\b/.test(accept)) return answer;
  answer.headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(page(answer.headers.get("Retry-After") ?? ""), {
    status: answer.status,
    headers: answer.headers,
  });
}

const page = (seconds: string) =>
  plainPage(
    "Too many requests from your network",
    `Your account is not affected. Try again in ${seconds} ${seconds === "1" ? "second" : "seconds"}.`,
  );
