import type { Action } from "../protocol/challenge.ts";
import { REFUSAL_REASONS, type RefusalReason } from "../protocol/errors.ts";
import { parseUrl } from "./browser-support.ts";
import { type FetchFailure, fetchJson, readTextField } from "./fetch-json.ts";

/** A code to show, or the reason why there is none. */
export type IssueOutcome =
  | { kind: "issued"; sid: string; qr: string }
  /** A wallet has already answered a code of this login. */
  | { kind: "authenticated"; sid: string; redirect: string | null }
  /** Another login has already signed this browser in. */
  | { kind: "signed-in" }
  /** The browser rejects cookies, so it cannot be signed in. */
  | { kind: "no-cookies" }
  /**
   * The page is not on the site's own origin, so a code could not sign in this browser. `url` is the same page on the
   * site's own origin.
   */
  | { kind: "elsewhere"; url: string }
  | FetchFailure;

/**
 * The status of a login, or the reason why the status could not be read. `redirect` is the URL that the browser opens
 * next.
 */
export type CheckOutcome =
  | { kind: "pending" }
  | { kind: "unregistered" }
  | { kind: "authenticated"; redirect: string | null }
  | FetchFailure;

/** Provides the codes and statuses that the login panel shows. Each kind of login has its own source. */
export type LoginSource = {
  /** The NextAuth provider that redeems these logins, or null if a page redeems or confirms them first. */
  provider: string | null;
  /** Whether to redeem logins with `POST /api/svc/sign-in`, if the site has that endpoint. */
  direct?: boolean;
  /**
   * Requests a new code. Continues the login session `sid` if it still belongs to this browser, and otherwise starts a
   * new session.
   */
  issue(sid: string | null): Promise<IssueOutcome>;
  check(sid: string): Promise<CheckOutcome>;
  /** Returns the URL of a session's event stream, or null if the page should only poll. */
  eventsUrl(sid: string): string | null;
  /** Parses the data of an event from that stream. The default is `parseCheckOutcome`. */
  readEvent?(data: unknown, sid: string): CheckOutcome;
  /**
   * Shares the displayed code, for example with a wallet in another tab. `qr` is null while the page is not renewing
   * its codes. Calls `next` when a wallet needs a newer code. Returns a function that stops sharing.
   */
  shareCode?(sid: string, qr: string | null, next: () => void): () => void;
};

/**
 * Returns a source that uses the site's own endpoints (docs/protocol.md#3-login).
 * @param options.direct redeems logins with `POST /api/svc/sign-in`, if the site has that endpoint
 * @param options.enterAt the path of a route that redeems the answered login. The route receives `sid` and the page's
 * `callbackUrl`.
 */
export function siteSource(
  mode: Action,
  { direct = false, enterAt }: { direct?: boolean; enterAt?: string } = {},
): LoginSource {
  const codes = createSiteSource(mode, { direct });
  return enterAt === undefined ? codes : withConfirmationPage(enterAt, codes);
}

/**
 * Does the same as `siteSource`, but for codes with an intent.
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
      const outcome = await requestJson(`/api/svc/qr?${query(sid)}`, parseIssueOutcome);
      return direct ? atOwnOrigin(outcome) : outcome;
    },
    check: (sid) => requestJson(`/api/svc/check?${new URLSearchParams({ sid })}`, parseCheckOutcome),
    eventsUrl: (sid) => `/api/svc/events?${new URLSearchParams({ sid })}`,
  };
}

/**
 * Returns the outcome unchanged if the page is on the origin to which wallets send their answers, and otherwise
 * `elsewhere`. A page on another origin, such as `127.0.0.1` instead of `localhost`, could not sign in with the code.
 */
function atOwnOrigin(outcome: IssueOutcome): IssueOutcome {
  if (outcome.kind !== "issued") return outcome;
  const { origin, pathname, search } = window.location;
  const codeOrigin = originOf(outcome.qr);
  return codeOrigin === null || codeOrigin === origin
    ? outcome
    : { kind: "elsewhere", url: codeOrigin + pathname + search };
}

/** Returns the origin of a code's webhook. Accepts both forms of the code (docs/protocol.md#12-qr-payload). */
function originOf(qr: string): string | null {
  const code = parseUrl(qr);
  return parseUrl(code?.searchParams.get("webhook") ?? qr)?.origin ?? null;
}

/** Sends a request to the site's own API and parses the response if the request succeeds. */
export async function requestJson<Outcome>(
  url: string,
  read: (body: unknown) => Outcome,
): Promise<Outcome | FetchFailure> {
  const fetched = await fetchJson(url);
  return fetched.kind === "ok" ? read(fetched.body) : fetched;
}

/** Returns a source whose logins are confirmed on the page at `path` after the wallet has answered. */
export function withConfirmationPage(path: string, source: LoginSource): LoginSource {
  const redirected = <Outcome extends IssueOutcome | CheckOutcome>(outcome: Outcome, sid: string): Outcome =>
    outcome.kind === "authenticated"
      ? { ...outcome, redirect: `${path}?${new URLSearchParams({ sid })}` }
      : outcome;
  return {
    ...source,
    // The page at `path` redeems the login once the user has confirmed it.
    provider: null,
    readEvent: (data, sid) => redirected((source.readEvent ?? parseCheckOutcome)(data, sid), sid),
    issue: async (sid) => {
      const outcome = await source.issue(sid);
      return outcome.kind === "authenticated" ? redirected(outcome, outcome.sid) : outcome;
    },
    check: async (sid) => redirected(await source.check(sid), sid),
  };
}

/**
 * Returns a source of codes with which the signed-in user approves a change using their own key. Redeeming the answered
 * login replaces this browser's session.
 */
export function approvalSource(): LoginSource {
  return stopLoginOnForbidden(createSiteSource("login", { direct: true, intent: "approve" }));
}

/**
 * Returns a source for which a 403 ends the login. For codes that approve a change, a 403 means that the browser is
 * signed out (docs/protocol.md#36-intents).
 */
export function stopLoginOnForbidden(source: LoginSource): LoginSource {
  const issue: LoginSource["issue"] = async (sid) => {
    const outcome = await source.issue(sid);
    return outcome.kind === "forbidden" ? { kind: "ended" } : outcome;
  };
  return { ...source, issue };
}

/** Parses the response from `GET /api/svc/qr` or another endpoint that issues codes. */
export function parseIssueOutcome(body: unknown): IssueOutcome {
  const sid = readTextField(body, "sid");
  const qr = readTextField(body, "qr");
  return sid && qr ? { kind: "issued", sid, qr } : { kind: "broken" };
}

/** Parses the response from `GET /api/svc/check`, or the data of an event, which has the same format. */
export function parseCheckOutcome(body: unknown): CheckOutcome {
  const status = readTextField(body, "status");
  if (status === "pending" || status === "unregistered") return { kind: status };
  if (status === "authenticated") return { kind: "authenticated", redirect: readTextField(body, "redirect") };
  return { kind: "broken" };
}

export function parseRefusalReason(body: unknown): RefusalReason | null {
  const reasonText = readTextField(body, "reason");
  return REFUSAL_REASONS.find((reason) => reason === reasonText) ?? null;
}
