import { fail } from "./check.ts";
import type { Answered } from "./under-test.ts";

/** Section 2.3: what answers carry for caches and for support. */

/** @throws {Failure} where an answer may be stored */
export function expectNoStore(answers: readonly Answered[]): void {
  for (const { answer, request } of answers) {
    const said = answer.headers["cache-control"] ?? "";
    if (request.method === "OPTIONS" || /\bno-store\b/.test(said)) continue;
    fail(`The ${answer.status} of ${answer.name} says Cache-Control: ${said || "nothing"}.`);
  }
}

/** @throws {Failure} unless each answer carries an `X-Request-Id` of its own */
export function expectOwnRequestIds(answers: readonly Answered[]): void {
  const seen = new Set<string>();
  for (const { answer } of answers) {
    const id = answer.headers["x-request-id"];
    if (!id) fail(`The ${answer.status} of ${answer.name} carries no X-Request-Id.`);
    if (seen.has(id)) fail(`Two answers carry the X-Request-Id ${id}.`);
    seen.add(id);
  }
}
