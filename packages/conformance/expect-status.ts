import { block, fail } from "./check.ts";
import { type Answer, membersOf } from "./http-client.ts";

const QUOTED_CHARACTERS = 200;

export function describeUnexpectedResponse(
  { name, status, headers, json, text }: Answer,
  instead = "",
): string {
  const { error } = (json ?? {}) as { error?: { code?: unknown; message?: unknown } | string };
  const { code, message } = typeof error === "object" && error ? error : {};
  const [, fromTitle = ""] = text.split(/<title\b/i, 2);
  const title = fromTitle.slice(fromTitle.indexOf(">") + 1).split("<", 1)[0];
  const isPage = headers["content-type"]?.startsWith("text/html");
  const words = String(message ?? (typeof error === "string" ? error : isPage ? title : text)).trim();
  const quotation = words && ` It says${code ? ` ${code}` : ""}: "${words.slice(0, QUOTED_CHARACTERS)}"`;
  const leads = headers.location ? ` and leads to ${headers.location}` : "";
  return `${name} answers ${status}${isPage ? " with a page" : ""}${instead && ` ${instead}`}${leads}.${status >= 400 ? quotation : ""}`;
}

export type Statuses = number | readonly number[] | "a 4xx";

/** @param more appended to the failure message */
export function expectStatus(answer: Answer, expected: Statuses, what: string, more = ""): void {
  const { status } = answer;
  const isExpected =
    expected === "a 4xx" ? status >= 400 && status < 500 : [expected].flat().includes(status);
  if (isExpected) return;
  fail(
    `${what}: ${describeUnexpectedResponse(answer, `instead of ${[expected].flat().join(" or ")}`)}${more}`,
  );
}

const inWords = (value: unknown) =>
  value === undefined ? "missing" : JSON.stringify(value).slice(0, QUOTED_CHARACTERS);

export function expectEqual(given: unknown, expected: unknown, what: string): void {
  if (given !== expected) fail(`${what} is ${inWords(given)} instead of ${inWords(expected)}.`);
}

/** @throws {CheckFailure} unless the value is a string in the expected form, which `wanted` describes */
export function expectMatch(
  value: unknown,
  form: RegExp,
  what: string,
  wanted: string,
): asserts value is string {
  if (typeof value !== "string" || !form.test(value))
    fail(`${what} is ${inWords(value)} instead of ${wanted}.`);
}

/** @throws {CheckFailure} unless the value is an ISO 8601 time in UTC */
export function expectIsoTime(value: unknown, what: string): asserts value is string {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
  expectMatch(value, form, what, 'ISO 8601 in UTC, such as "2026-01-31T12:00:00Z"');
}

export function expectInteger(value: unknown, what: string): void {
  if (!Number.isInteger(value)) fail(`${what} is ${inWords(value)} instead of an integer.`);
}

/** @throws {CheckFailure} if the numbers differ by more than the tolerance */
export function expectCloseTo(given: number, expected: number, tolerance: number, what: string): void {
  if (!(Math.abs(given - expected) <= tolerance))
    fail(`${what} is ${given} instead of ${Math.round(expected)}.`);
}

export function expectMembers(
  body: Record<string, unknown>,
  expected: Record<string, unknown>,
  what = (name: string) => `\`${name}\``,
): void {
  for (const [name, value] of Object.entries(expected)) expectEqual(body[name], value, what(name));
}

export function expectAccepted(answer: Answer): void {
  if (answer.status !== 200) block("A correct response is refused", describeUnexpectedResponse(answer));
}

/** Ignores the content type's parameters. */
export function expectType(
  { headers }: { headers: { "content-type"?: string } },
  type: string,
  what: string,
): void {
  const contentType = headers["content-type"] ?? "of no type";
  if (!contentType.startsWith(type)) fail(`${what} is ${contentType} instead of ${type}.`);
}

/** @throws {CheckFailure} if an object has members that are not in `knownNames` */
export function expectNoOtherMembers(value: unknown, knownNames: readonly string[], what: string): void {
  const others = Object.keys(membersOf(value)).filter((name) => !knownNames.includes(name));
  if (others.length > 0) fail(`${what} also has ${others.join(", ")}.`);
}

export function expectNoCookie({ cookies: [cookie] }: Answer, what: string): void {
  if (cookie) fail(`${what} sets the cookie ${cookie.name}.`);
}

export function changeLastCharacter(text: string): string {
  return text.slice(0, -1) + (text.endsWith("A") ? "B" : "A");
}
