import type { Browser } from "../browser.ts";
import { exhaustsLimits, fail, runsLast, skip } from "../check.ts";
import { expectEqual, expectMatch, expectStatus } from "../expect-status.ts";
import { type Answer, type HttpClient, membersOf, type Outgoing } from "../http-client.ts";
import { checkAllResponses, errorOf } from "./errors.ts";
import type { Answered, Flow } from "./flow.ts";

/** Sections 2.3 and 2.4: response headers for caches, browsers, support and limits. */

export const ALLOW_ORIGIN = "access-control-allow-origin";
export const FOREIGN_ORIGIN_HEADER = { Origin: "https://wallet.example" };

export const sendsNoStore = (of: (request: Outgoing) => boolean = () => true) =>
  checkAllResponses((site) => {
    for (const { answer, request } of site.ownAnswers()) {
      const cacheControl = answer.headers["cache-control"] ?? "";
      if (request.method === "OPTIONS" || !of(request) || /\bno-store\b/.test(cacheControl)) continue;
      fail(
        `The ${answer.status} of ${answer.name} has Cache-Control: ${cacheControl || "(none)"} instead of no-store.`,
      );
    }
  });

export const sendsUniqueRequestIds = checkAllResponses((site) => {
  const seenValues = new Set<string>();
  for (const { answer } of site.ownAnswers()) {
    const id = answer.headers["x-request-id"];
    if (!id) fail(`The ${answer.status} of ${answer.name} carries no X-Request-Id.`);
    if (seenValues.has(id)) fail(`Two answers carry the X-Request-Id ${id}.`);
    seenValues.add(id);
  }
});

export const allowsAnyOrigin = checkAllResponses((site) => {
  for (const { answer } of site.walletAnswers()) expectAnyOrigin(answer);
});

/**
 * For a wallet that runs in a browser and posts JSON.
 * @param maxAge for how many seconds browsers can cache this permission
 */
export async function allowsPreflight(site: Flow, paths: readonly string[], maxAge?: string): Promise<void> {
  for (const path of paths) {
    const { headers } = await expectPreflight(site.http, path);
    if (maxAge)
      expectEqual(headers["access-control-max-age"], maxAge, "Access-Control-Max-Age of the preflight");
  }
}

export async function refusesOtherOrigins(
  browser: Browser,
  paths: readonly string[],
  methods = ["GET"],
): Promise<void> {
  for (const path of paths) {
    for (const method of methods) {
      const { headers, name } = await browser.send({ method, path, headers: FOREIGN_ORIGIN_HEADER });
      expectEqual(headers[ALLOW_ORIGIN], undefined, `Access-Control-Allow-Origin of ${name}`);
    }
  }
}

/**
 * As a browser does before a wallet at another origin posts JSON.
 * @throws {CheckFailure} unless the site allows the request
 */
export async function expectPreflight(http: HttpClient, path: string): Promise<Answer> {
  const answer = await http.send({
    ...{ method: "OPTIONS", path },
    headers: {
      ...FOREIGN_ORIGIN_HEADER,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "content-type",
    },
  });
  expectStatus(answer, [200, 204], "a preflight");
  expectAnyOrigin(answer);
  for (const [header, allowed] of [
    ["Access-Control-Allow-Methods", "POST"],
    ["Access-Control-Allow-Headers", "Content-Type"],
  ] as const) {
    const value = answer.headers[header.toLowerCase()] ?? "nothing";
    if (!new RegExp(`\\b${allowed}\\b`, "i").test(value))
      fail(`The preflight has ${header}: ${value}, without ${allowed}.`);
  }
  return answer;
}

export function expectAnyOrigin({ headers, status, name }: Answer): void {
  expectEqual(headers[ALLOW_ORIGIN], "*", `Access-Control-Allow-Origin of the ${status} of ${name}`);
}

export function expectNoCredentials(answers: readonly Pick<Answered, "answer">[]): void {
  for (const { answer } of answers) {
    if (answer.headers["access-control-allow-credentials"] !== undefined)
      fail(`${answer.name} allows credentials.`);
  }
}

// Section 2.4: each caller has a limit, and each response says how many requests remain.

/** A site that refuses a few requests late still has a limit. */
const MARGIN = 10;

/**
 * If the number of remaining requests rises, a new window has begun, and the count starts again.
 * @throws {CheckFailure} if the site never refuses a request with 429
 */
export async function sendUntilLimited(
  most: number,
  send: (index: number) => Promise<Answer>,
  what = "requests",
): Promise<Answer> {
  let inWindow = 0;
  let left = Number.NaN;
  let hasRenewed = false;
  // A burst that lasts less than a minute crosses at most one window boundary. If the remaining number rises more than
  // once, the site counts requests in several places.
  for (let index = 0; inWindow < most + MARGIN; index++) {
    const answer = await send(index);
    if (answer.status === 429) return answer;
    const remaining = Number(answer.headers["ratelimit-remaining"] ?? Number.NaN);
    const isNew: boolean = !hasRenewed && remaining > left;
    hasRenewed ||= isNew;
    inWindow = isNew ? 1 : inWindow + 1;
    left = remaining;
  }
  return fail(`${inWindow} ${what} within a minute were answered without a 429.`);
}

/**
 * Whatever IP addresses a client's headers claim. The 429 must say how long to wait.
 * @param send sends a request whose headers claim another IP address
 */
export function isLimited<Site extends Flow>(
  most: number,
  send: (site: Site, forged: Pick<Outgoing, "headers" | "expectsLimit">) => Promise<Answer>,
  what?: string,
) {
  return exhaustsLimits(async (site: Site): Promise<void> => {
    const sendAs = (index: number) => send(site, { headers: forgedAddress(index), expectsLimit: true });
    site.expectLimited(await sendUntilLimited(most, sendAs, what));
  });
}

export const retryAfterIsPresent = runsLast(async (site: Flow): Promise<void> => {
  const refused = site.ownAnswers().filter(({ answer }) => answer.status === 429);
  if (refused.length === 0) skip("This run met no limit; --limits looks for them.");
  for (const { answer } of refused) site.expectLimited(answer);
});

/** Returns the headers of a proxy that reports the client's IP address. */
function forgedAddress(index: number): Record<string, string> {
  const address = `198.51.${Math.floor(index / 250)}.${(index % 250) + 1}`;
  return { "X-Forwarded-For": address, "X-Real-IP": address, Forwarded: `for=${address}` };
}

export function expectLimitHeaders({ headers, name }: Answer): void {
  for (const header of ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"])
    expectMatch(headers[header], /^\d+$/, `${header} of ${name}`, "a whole number");
}

export function expectRequestCounted(answer: Answer): void {
  expectLimitHeaders(answer);
  const { headers, name } = answer;
  if (Number(headers["ratelimit-remaining"]) >= Number(headers["ratelimit-limit"]))
    fail(`RateLimit-Remaining of ${name} does not decrease.`);
}

/**
 * In seconds.
 * @throws {CheckFailure} if the header is missing
 */
export function retryAfterOf({ headers, name }: Answer): string {
  const seconds: unknown = headers["retry-after"];
  expectMatch(seconds, /^[1-9]\d*$/, `Retry-After of the 429 of ${name}`, "a number of seconds");
  return seconds;
}

export function expectRetryAfter(answer: Answer): void {
  const seconds = retryAfterOf(answer);
  const { retry_after: retryAfter } = membersOf(errorOf(answer).details);
  expectEqual(String(retryAfter), seconds, `details.retry_after of the 429 of ${answer.name}`);
}
