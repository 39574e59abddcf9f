import { Blocked, fail } from "./check.ts";
import type { Answer } from "./http-client.ts";

/** @throws {Failure} unless the answer has one of these statuses */
export function expectStatus(answer: Answer, expected: number | readonly number[], what: string): void {
  const statuses = typeof expected === "number" ? [expected] : expected;
  if (!statuses.includes(answer.status)) {
    fail(`${what}: ${answer.name} answers ${answer.status} instead of ${statuses.join(" or ")}.`);
  }
}

/** @throws {Blocked} where a correct response is refused: nothing can be told about what follows */
export function expectAccepted({ status }: Answer): void {
  if (status !== 200) throw new Blocked(`A correct response is answered ${status} here.`);
}

/** @throws {Failure} unless the answer is a 4xx */
export function expectRefused(answer: Answer, what: string): void {
  if (answer.status < 400 || answer.status >= 500) fail(`${what}: ${answer.name} answers ${answer.status}.`);
}
