import { fail, runsLast } from "../check.ts";
import { expectStatus, expectType } from "../expect-status.ts";
import { type Answer, bodyOf, membersOf } from "../http-client.ts";
import type { Answered, Flow } from "./flow.ts";

/** Sections 2.1 and 6.2: all errors have the same format and do not reveal internal details. */

/**
 * For each status, the codes for a wallet's response first. A site can use other statuses, but for these statuses, it
 * must use one of these codes.
 */
export const ERROR_CODES: Record<number, readonly string[]> = {
  400: ["invalid_request", "invalid_signature"],
  401: ["invalid_api_key", "not_signed_in", "invalid_recovery_code"],
  403: ["approval_required", "forbidden"],
  404: ["user_not_found", "session_not_found", "domain_not_found", "not_found"],
  405: ["method_not_allowed"],
  406: ["invalid_signature", "intent_mismatch"],
  408: ["challenge_expired"],
  409: [
    ...["session_already_authenticated", "domain_already_registered", "idempotency_conflict"],
    ...["credential_taken", "already_linked", "last_credential", "domains_registered"],
  ],
  410: ["session_expired"],
  413: ["payload_too_large"],
  414: ["uri_too_long"],
  415: ["unsupported_media_type"],
  422: ["domain_not_registered", "domain_not_verified", "domain_verification_failed", "quota_exceeded"],
  429: ["rate_limited"],
  431: ["headers_too_large"],
  500: ["internal_error"],
  503: ["service_unavailable"],
};

export function isErrorBody(
  body: unknown,
): body is { error: { code: string; message: string; details: object } } {
  const { code, message, details } = membersOf(membersOf(body).error);
  const isObject = typeof details === "object" && details !== null && !Array.isArray(details);
  return typeof code === "string" && typeof message === "string" && message !== "" && isObject;
}

export const errorOf = (answer: Answer) => membersOf(bodyOf(answer).error);

export function expectMatchingCode({ json, status, name }: Answer): void {
  if (!isErrorBody(json)) return;
  const { code } = json.error;
  if (ERROR_CODES[status]?.includes(code) === false)
    fail(`${name} answers ${status} with the code ${code} instead of ${ERROR_CODES[status].join(" or ")}.`);
}

export function expectErrorBody(answer: Answer, what: string): void {
  const subject = `${what}: the ${answer.status} of ${answer.name}`;
  expectType(answer, "application/json", subject);
  const shape = '{"error":{"code":"…","message":"…","details":{}}}';
  if (!isErrorBody(answer.json)) fail(`${subject} is ${answer.text.slice(0, 200)} instead of ${shape}.`);
}

/**
 * From a statement's first word to one of its clauses. The match does not extend over another statement, so the regular
 * expression searches each text only once.
 */
const SQL =
  /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b(?:(?!\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b).)+\b(?:FROM|VALUES|SET|WHERE)\b/i;

/** Paths on a server, SQL, and the names of server software and exceptions. */
const OF_ANY_SITE: readonly RegExp[] = [
  /node_modules|\.next\/|\/(usr|home|var|srv|app|opt|work)\/\w/,
  SQL,
  /\b(PrismaClient|SQLITE_|ECONNREFUSED|TypeError|ReferenceError|RangeError|SyntaxError)/,
];

/** An error must not match any of these. */
export const INTERNAL_DETAILS: readonly RegExp[] = [
  /\n[ \t]+at \S+ ?\(/,
  /\bat (async )?[\w.]+ \(?(file:|node:|\/)/,
  ...OF_ANY_SITE,
  /\b(syntax error at or near|violates \w+ constraint|relation "\w+" does not exist)/i,
];

/**
 * A plain-text refusal in a fast login must not match any of these. Such refusals often contain a library's message.
 */
export const INTERNAL_DETAILS_IN_TEXT: readonly RegExp[] = [
  /\n[ \t]+at \S/,
  ...OF_ANY_SITE,
  /\b(Cannot read propert|is not a function|is not iterable|Unexpected token|Invalid checksum|Invalid signature length)/,
];

export function expectNoInternalDetails(answers: readonly Answered[], patterns: readonly RegExp[]): void {
  for (const { answer } of answers) {
    const found = answer.status >= 400 && patterns.find((pattern) => pattern.test(answer.text));
    if (found)
      fail(`${answer.name} answers ${answer.status} with ${JSON.stringify(found.exec(answer.text)?.[0])}.`);
  }
}

/** Pages contain the names of their own scripts. */
export const isNotPage = ({ answer }: Answered) =>
  !/^text\/html\b/.test(answer.headers["content-type"] ?? "");

export function expectNoServerError(answers: readonly Answered[]): void {
  const faults = answers.filter(({ answer }) => answer.status >= 500);
  const [first] = faults;
  if (!first) return;
  const sent = String(first.request.body ?? "").slice(0, 200);
  const { name, status } = first.answer;
  fail(`${name} answers ${status} ${sent && `to ${sent}`} (${faults.length} in all).`);
}

export function checkAllResponses<Site extends Flow = Flow>(examine: (site: Site) => void) {
  return runsLast(async (site: Site): Promise<void> => {
    await site.provoke();
    examine(site);
  });
}

const REFUSED = { 400: "a request without `sid`", 404: "an unknown path", 405: "an unsupported method" };

type Requests = readonly (readonly [status: 400 | 404 | 405, method: string, path: string])[];

/** In the flow's own format, and with `Allow` for an unsupported method. */
export async function refusesRequests(site: Flow, requests: Requests): Promise<void> {
  for (const [status, method, path] of requests) {
    const answer = await site.ask(method, path);
    expectStatus(answer, status, REFUSED[status]);
    site.expectRefusal(answer, REFUSED[status]);
    if (status === 405 && !answer.headers.allow) fail(`${answer.name} is answered 405 without Allow.`);
  }
}
