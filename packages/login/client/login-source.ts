import type { Action } from "../protocol/challenge.ts";
import { REFUSAL_REASONS, type RefusalReason } from "../protocol/errors.ts";
import { parseUrl } from "./browser-support.ts";
import { type Failure, fetchJson, readText } from "./fetch-json.ts";

/** A code to show, or the reason why there is none. */
export type IssueOutcome =
  | { kind: "issued"; sid: string; qr: string }
  /** A wallet has answered in the meantime. */
  | { kind: "authenticated"; sid: string; redirect: string | null }
  /** Another login has already signed this browser in. */
  | { kind: "signed-in" }
  /** The browser rejects cookies, so it could not be signed in. */
  | { kind: "no-cookies" }
  /**
   * The page is not on the site's own origin, so a code could not sign it in. `url` is the same page on that origin.
   */
  | { kind: "elsewhere"; url: string }
  | Failure;

/** The status of a login, or why it is unknown. `redirect` is the URL to which the browser goes next. */
export type CheckOutcome =
  | { kind: "pending" }
  | { kind: "unregistered" }
  | { kind: "authenticated"; redirect: string | null }
  | Failure;

/**
 * The source of the login panel's codes and statuses. There is one for each kind of login, and the panel treats them
 * alike.
 */
export type LoginSource = {
  /** The NextAuth provider that redeems these logins, or null if the next page has to confirm them first. */
  provider: string | null;
  /** If true, one request to `POST /api/svc/sign-in` redeems the logins instead, if the site has that endpoint. */
  direct?: boolean;
  /** Requests a new code, for `sid` if it still belongs to this browser, otherwise for a new session. */
  issue(sid: string | null): Promise<IssueOutcome>;
  check(sid: string): Promise<CheckOutcome>;
  /** Returns the URL of a session's server-sent events, or null if there are none, so that the page only polls. */
  eventsUrl(sid: string): string | null;
  /** Parses the data of an event. The default is `readCheck`. */
  readEvent?(data: unknown, sid: string): CheckOutcome;
  /**
   * Reports the shown code to others, such as a wallet in another tab. `qr` is null while codes are not renewed. Calls
   * `next` if they need a new code. Returns a function that stops the reports.
   */
  shareCode?(sid: string, qr: string | null, next: () => void): () => void;
};

/**
 * Returns a source that uses the site's own endpoints (docs/protocol.md#3-login).
 * @param options.direct signs in with one request, if the site has that endpoint
 * @param options.enterAt the path of a route that redeems an answered login itself. The route gets the `sid` and the
 * page's `callbackUrl`.
 */
export function siteSource(
  mode: Action,
  { direct = false, enterAt }: { direct?: boolean; enterAt?: string } = {},
): LoginSource {
  const codes = createSiteSource(mode, { direct });
  return enterAt === undefined ? codes : confirmOnPage(enterAt, codes);
}

/**
 * Like `siteSource`, but for codes with an intent.
 * @param options.intent the name of the intent (docs/protocol.md#36-intents)
 */
export function createSiteSource(
  mode: Action,
  { direct = false, intent }: { direct?: boolean; intent?: string },
): LoginSource {
  const base: Record<string, string> = intent === undefined ? { mode } : { mode, intent };
  const query = (sid: string | null) => new URLSearchParams(sid === null ? base : { ...base, sid });
  return {
    ...{ provider: "svc", direct },
    issue: async (sid) => {
      const outcome = await requestJson(`/api/svc/qr?${query(sid)}`, readIssue);
      return direct ? atOwnOrigin(outcome) : outcome;
    },
    check: (sid) => requestJson(`/api/svc/check?${new URLSearchParams({ sid })}`, readCheck),
    eventsUrl: (sid) => `/api/svc/events?${new URLSearchParams({ sid })}`,
  };
}

/**
 * Returns a code if the page is on the origin to which wallets send their answers. A page on a different origin could
 * not sign in with it (`POST /api/svc/sign-in`). `localhost` and `127.0.0.1` are different origins.
 */
function atOwnOrigin(outcome: IssueOutcome): IssueOutcome {
  if (outcome.kind !== "issued") return outcome;
  const { origin, pathname, search } = window.location;
  const codeOrigin = originOf(outcome.qr);
  return codeOrigin === null || codeOrigin === origin
    ? outcome
    : { kind: "elsewhere", url: codeOrigin + pathname + search };
}

/** Returns the origin of a code's webhook, in either form of the code (docs/protocol.md#12-qr-payload). */
function originOf(qr: string): string | null {
  const code = parseUrl(qr);
  return parseUrl(code?.searchParams.get("webhook") ?? qr)?.origin ?? null;
}

/** Sends a request to our own API, and reads the response if there is one. */
export async function requestJson<Outcome>(
  url: string,
  read: (body: unknown) => Outcome,
): Promise<Outcome | Failure> {
  const fetched = await fetchJson(url);
  return fetched.kind === "ok" ? read(fetched.body) : fetched;
}

/** Creates a source whose answers are confirmed on a separate page, at `path`. */
export function confirmOnPage(path: string, source: LoginSource): LoginSource {
  const redirected = <Outcome extends IssueOutcome | CheckOutcome>(outcome: Outcome, sid: string): Outcome =>
    outcome.kind === "authenticated"
      ? { ...outcome, redirect: `${path}?${new URLSearchParams({ sid })}` }
      : outcome;
  return {
    ...source,
    // The login is redeemed only after it is confirmed.
    provider: null,
    readEvent: (data, sid) => redirected((source.readEvent ?? readCheck)(data, sid), sid),
    issue: async (sid) => {
      const outcome = await source.issue(sid);
      return outcome.kind === "authenticated" ? redirected(outcome, outcome.sid) : outcome;
    },
    check: async (sid) => redirected(await source.check(sid), sid),
  };
}

/**
 * Returns the source of codes with which a key of the signed-in user approves a change. Redeeming a code renews this
 * browser's session.
 */
export function approvalSource(): LoginSource {
  return endOnForbidden(createSiteSource("login", { direct: true, intent: "approve" }));
}

/** Returns a source of codes that approve. A 403 means that the browser is signed out (docs/protocol.md#36-intents). */
export function endOnForbidden(source: LoginSource): LoginSource {
  const issue: LoginSource["issue"] = async (sid) => {
    const outcome = await source.issue(sid);
    return outcome.kind === "forbidden" ? { kind: "ended" } : outcome;
  };
  return { ...source, issue };
}

/** Reads the response to `GET /api/svc/qr`, or the response from another endpoint that issues codes. */
export function readIssue(body: unknown): IssueOutcome {
  const sid = readText(body, "sid");
  const qr = readText(body, "qr");
  return sid && qr ? { kind: "issued", sid, qr } : { kind: "broken" };
}

/** Reads the response to `GET /api/svc/check`, which the event stream repeats. */
export function readCheck(body: unknown): CheckOutcome {
  const status = readText(body, "status");
  if (status === "pending" || status === "unregistered") return { kind: status };
  if (status === "authenticated") return { kind: "authenticated", redirect: readText(body, "redirect") };
  return { kind: "broken" };
}

/** Reads the data of a `refused` event. */
export function readRefusal(body: unknown): RefusalReason | null {
  const reasonText = readText(body, "reason");
  return REFUSAL_REASONS.find((reason) => reason === reasonText) ?? null;
}
