import { fail } from "./check.ts";
import type { Answered } from "./under-test.ts";

/** Sections 2.1 and 6.2: what the other side keeps to itself, whatever it is sent. */

/** A path of the server, SQL, and the names of what it is made of. */
const OF_ANY_SITE: readonly RegExp[] = [
  /node_modules|\.next\/|\/(usr|home|var|srv|app|opt|work)\/\w+/,
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.+\b(FROM|VALUES|SET|WHERE)\b/i,
  /\b(PrismaClient\w*|SQLITE_\w+|ECONNREFUSED|TypeError|ReferenceError|RangeError|SyntaxError)\b/,
];

/** What no error of the API tells. */
export const INNER: readonly RegExp[] = [
  /\n\s+at \S+ ?\(/,
  /\bat (async )?[\w.]+ \(?(file:|node:|\/)/,
  ...OF_ANY_SITE,
  /\b(syntax error at or near|violates \w+ constraint|relation "\w+" does not exist)/i,
];

/** What no words of a fast login tell, which often hold a library's own. */
export const INNER_OF_WORDS: readonly RegExp[] = [
  /\n\s+at \S+/,
  ...OF_ANY_SITE,
  /\b(Cannot read propert|is not a function|is not iterable|Unexpected token|Invalid checksum|Invalid signature length)/,
];

/** @throws {Failure} where a refusal holds one of the patterns. Pages name their own scripts, and are another matter. */
export function expectNothingInner(answers: readonly Answered[], patterns: readonly RegExp[]): void {
  for (const { answer } of answers) {
    if (answer.status < 400 || /^text\/html\b/.test(answer.headers["content-type"] ?? "")) continue;
    const found = patterns.find((pattern) => pattern.test(answer.text));
    if (found)
      fail(`${answer.name} answers ${answer.status} with ${JSON.stringify(found.exec(answer.text)?.[0])}.`);
  }
}

/** @throws {Failure} where an answer was a 5xx */
export function expectNoFault(answers: readonly Answered[]): void {
  const faults = answers.filter(({ answer }) => answer.status >= 500);
  const [first] = faults;
  if (!first) return;
  const sent = String(first.request.body ?? "").slice(0, 200);
  fail(
    `${first.answer.name} answers ${first.answer.status} ${sent && `to ${sent}`} (${faults.length} in all).`,
  );
}
