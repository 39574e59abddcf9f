import { REQUEST_TEXTS } from "./purpose.ts";
import { countSecondsLeft, type Payload, readDeviceTime } from "./read-payload.ts";
import { readBrowserName } from "./read-service-reply.ts";
import {
  isDeviceOnline,
  parseJson,
  type RequestEnvironment,
  readFirstBytes,
  readOwnField,
  sendSiteRequest,
} from "./send-site-request.ts";
import { readSiteTime, type SiteClock } from "./site-clock.ts";
import { WalletError } from "./wallet-error.ts";

export const BROWSER_QUERY_TIMEOUT_SECONDS = 2;
export const BROWSER_RESPONSE_LIMIT_BYTES = 8 * 1024;
/** After a site did not answer the question. */
export const SILENT_SITE_RETRY_SECONDS = 24 * 60 * 60;

// The wallet refuses to send a question beyond these limits. Otherwise, an attacker could pad a code until the site
// cannot read the question, which would hide the browser that requested the sign-in.
const MAX_QUESTION_CHARACTERS = 2048;
const MAX_QUESTION_PARAMETERS = 32;

export const OTHER_NETWORK_WARNING =
  "The code was requested from another network. If you did not open this page yourself, decline.";

/** The site's description of the browser that requests a signature (docs/protocol.md#111-before-signing). */
export type AskingBrowser = {
  name: string;
  /** In Unix seconds, by the site's clock. */
  askedAt: number;
  /** Compared with the wallet's network. */
  network: "same" | "other" | "unknown";
};

/** The webhooks that do not describe the requesting browser, by URL without parameters. */
export type SilentSites = {
  /** Unix seconds; undefined or null if there is no record. */
  findSilentSince: (webhook: string) => Promise<number | null | undefined>;
  saveSilentSince: (webhook: string, since: number) => Promise<void>;
};

/**
 * Also asks for the site's time, which is passed to `siteClock`. The site learns that its code was scanned, and from
 * where. So call this only after `checkPayload` has passed, because only then may the response go to another host.
 * @returns null if the site does not respond or is unreachable; its codes are answered anyway
 * @throws WalletError `challenge_expired` if the site says that the code has expired, `code_changed` if it says that
 * the code is for something else
 */
export async function findAskingBrowser(
  payload: Payload,
  silent: SilentSites | null,
  {
    siteClock,
    fetch,
    now = readDeviceTime,
    online = isDeviceOnline,
  }: RequestEnvironment & { siteClock?: SiteClock } = {},
): Promise<AskingBrowser | null> {
  const settle = (siteNow: number | null) => siteClock?.settle(payload, siteNow);
  // Fast-login sites have no endpoint that describes the browser.
  if (payload.kind === "fast" || !online()) {
    settle(null);
    return null;
  }
  const { origin, pathname, search } = new URL(payload.webhook);
  const webhook = origin + pathname;
  const silentSince = await silent?.findSilentSince(webhook).catch(() => null);
  const isInTime = countSecondsLeft(payload, now()) > 0 && now() >= payload.issuedAt;
  // The wallet still needs the site's time, which even a site that does not answer the question sends.
  const isTimeAsked = siteClock !== undefined && siteClock.errorOf(payload) > 0 && !isInTime;
  if (isRecentlySilent(silentSince, now()) && !isTimeAsked) {
    settle(null);
    return null;
  }
  const answer = await ask(questionUrl(payload), fetch);
  const description = answer && readAsked(answer.body, payload);
  settle(readSiteTime(answer?.date ?? null, description, now()));
  // A missing response, a 429 or a server error does not show whether the site can answer the question.
  if (answer === null || answer.status === 429 || answer.status >= 500) return null;
  if (answer.status === 408) {
    throw new WalletError(
      "challenge_expired",
      "The site says that this code has expired or was already used. Use the new code on the login page.",
    );
  }
  if (description === null) {
    // A webhook with a query is not recorded, because its query might be why the site did not answer. If recording
    // fails, the wallet asks the site again next time.
    if (search === "") await silent?.saveSilentSince(webhook, now()).catch(() => {});
    return null;
  }
  if (description.intent === payload.intent) return description.browser;
  throw changedError(`The site says that it did not ask you to ${REQUEST_TEXTS[payload.purpose]}.`);
}

/**
 * For example "Firefox on Linux, 4 seconds ago". `now` is in Unix seconds. Because clocks differ, a time in the future
 * counts as now.
 */
export function describeAskingBrowser({ name, askedAt }: AskingBrowser, now: number): string {
  const seconds = Math.floor(now - askedAt);
  if (seconds < 2) return `${name}, just now`;
  return `${name}, ${seconds} seconds ago`;
}

/** If the clock was set back since `since`, the wallet asks again. */
export function isRecentlySilent(since: number | null | undefined, now: number): boolean {
  return since != null && now >= since && now < since + SILENT_SITE_RETRY_SECONDS;
}

function changedError(what: string): WalletError {
  return new WalletError(
    "code_changed",
    `This code was changed on its way to you. ${what} Do not use it: open the site yourself and scan the code there.`,
  );
}

function questionUrl({ webhook, session, challenge }: Payload): string {
  const url = new URL(webhook);
  // With a second `s` or `c`, the site could not read the question, but would still accept the answer.
  if ([...url.searchParams.keys()].some((name) => /^[sc]$/i.test(name))) throw tooMuch();
  const parameters = new URLSearchParams({ s: session, c: challenge });
  url.search = [url.search.slice(1), parameters].filter(String).join("&");
  const { href, searchParams } = url;
  if (href.length > MAX_QUESTION_CHARACTERS || searchParams.size > MAX_QUESTION_PARAMETERS) {
    throw tooMuch();
  }
  return href;
}

function tooMuch(): WalletError {
  return changedError("It contains more than a login code should.");
}

/** Null if there was no response. `body` is null unless the status is 200 and the body is JSON. */
async function ask(
  url: string,
  fetch: RequestEnvironment["fetch"],
): Promise<{ status: number; date: string | null; body: unknown } | null> {
  try {
    const { response, status } = await sendSiteRequest(url, {
      fetch,
      deadlineSeconds: BROWSER_QUERY_TIMEOUT_SECONDS,
    });
    const date = response.headers.get("date");
    const isJson = /^application\/json\s*(?:;|$)/i.test(response.headers.get("content-type") ?? "");
    if (status !== 200 || !isJson) {
      await response.body?.cancel();
      return { status, date, body: null };
    }
    const bytes = await readFirstBytes(response, BROWSER_RESPONSE_LIMIT_BYTES + 1);
    return { status, date, body: bytes.length > BROWSER_RESPONSE_LIMIT_BYTES ? null : parseJson(bytes) };
  } catch {
    return null;
  }
}

/** Null if the format is wrong or the description is for another code. */
function readAsked(
  body: unknown,
  { domain, action }: Payload,
): { intent: string | null; askedAt: number; expiresAt: number; browser: AskingBrowser } | null {
  const [intent, network] = [readOwnField(body, "intent"), readOwnField(body, "network")];
  const name = readBrowserName(readOwnField(body, "browser"));
  const [askedAt, expiresAt] = [
    readTime(readOwnField(body, "asked_at")),
    readTime(readOwnField(body, "expires_at")),
  ];
  if (readOwnField(body, "domain") !== domain || readOwnField(body, "action") !== action) return null;
  if (intent !== null && !(typeof intent === "string" && /^[a-z_]{1,64}$/.test(intent))) return null;
  if (network !== "same" && network !== "other" && network !== "unknown") return null;
  if (name === null || askedAt === null || expiresAt === null) return null;
  return { intent, askedAt, expiresAt, browser: { name, askedAt, network } };
}

/** From ISO 8601 in UTC to Unix seconds. Null if the time is malformed. */
function readTime(value: unknown): number | null {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(value))
    return null;
  const milliseconds = Date.parse(value);
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000;
}
