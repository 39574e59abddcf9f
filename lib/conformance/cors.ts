import { fail } from "./check.ts";
import type { Answer, HttpClient } from "./http-client.ts";
import type { Answered } from "./under-test.ts";

/** Section 2.3: which answers another origin may read. */

export const ALLOW_ORIGIN = "access-control-allow-origin";
export const FOREIGN = { Origin: "https://wallet.example" };

/** What a browser asks before a wallet of another origin posts JSON. */
export function preflight(http: HttpClient, path: string): Promise<Answer> {
  return http.send({
    ...{ method: "OPTIONS", path },
    headers: {
      ...FOREIGN,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "content-type",
    },
  });
}

/** @throws {Failure} unless a preflight allows to post JSON; `what` begins the sentence */
export function expectAllowsJson({ headers }: Answer, what = "The preflight"): void {
  if (!/\bPOST\b/.test(headers["access-control-allow-methods"] ?? "")) fail(`${what} does not allow POST.`);
  if (!/\bcontent-type\b/i.test(headers["access-control-allow-headers"] ?? ""))
    fail(`${what} does not allow Content-Type.`);
}

/** @throws {Failure} unless any origin may read the answers */
export function expectAnyOrigin(answers: readonly Answered[]): void {
  for (const { answer } of answers) {
    const allowed = answer.headers[ALLOW_ORIGIN];
    if (allowed !== "*")
      fail(`The ${answer.status} of ${answer.name} allows the origin ${allowed ?? "of nobody"}.`);
  }
}

/** @throws {Failure} where another origin may use the browser's cookies */
export function expectNoCredentials(answers: readonly { answer: Answer }[]): void {
  for (const { answer } of answers) {
    if (answer.headers["access-control-allow-credentials"] !== undefined)
      fail(`${answer.name} allows credentials.`);
  }
}
