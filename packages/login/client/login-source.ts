import type { Action } from "../protocol/challenge.ts";
import { REFUSAL_REASONS, type RefusalReason } from "../protocol/errors.ts";
import { parseUrl } from "./browser-support.ts";
import { type FetchFailure, fetchJson, readTextField } from "./fetch-json.ts";

export type IssueOutcome =
  | { kind: "issued"; sid: string; qr: string }
  /** A wallet has already answered a code of this login. */
  | { kind: "authenticated"; sid: string; redirect: string | null }
  | { kind: "signed-in" }
  | { kind: "no-cookies" }
  /** `url` is the same page on the site's own origin. A code on another origin could not sign in this browser. */
  | { kind: "elsewhere"; url: string }
  | FetchFailure;

export type CheckOutcome =
  | { kind: "pending" }
  | { kind: "unregistered" }
  | { kind: "authenticated"; redirect: string | null }
  | FetchFailure;

export type LoginSource = {
  /** The NextAuth provider that redeems these logins, or null if a page redeems or confirms them first. */
  provider: string | null;
  /** Whether to redeem logins with `POST /api/svc/sign-in`, if the site has that endpoint. */
  direct?: boolean;
  /** Continues the login session `sid` if it still belongs to this browser, and otherwise starts a new one. */
  issue(sid: string | null): Promise<IssueOutcome>;
  check(sid: string): Promise<CheckOutcome>;
  /** Null if the page should only poll. */
  eventsUrl(sid: string): string | null;
  /** The default is `parseCheckOutcome`. */
  readEvent?(data: unknown, sid: string): CheckOutcome;
  /**
   * Shares the displayed code, for example with a wallet in another tab. `qr` is null while the page is not renewing
   * its codes. Calls `next` when a wallet needs a newer code. Returns a function that stops sharing.
   */
  shareCode?(sid: string, qr: string | null, next: () => void): () => void;
};

/**
 * Uses the site's own endpoints (docs/protocol.md#3-login).
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

/** @param options.intent docs/protocol.md#36-intents */
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

/** A page on another origin, such as `127.0.0.1` instead of `localhost`, could not sign in with the code. */
function atOwnOrigin(outcome: IssueOutcome): IssueOutcome {
  if (outcome.kind !== "issued") return outcome;
  const { origin, pathname, search } = window.location;
  const codeOrigin = originOf(outcome.qr);
  return codeOrigin === null || codeOrigin === origin
    ? outcome
    : { kind: "elsewhere", url: codeOrigin + pathname + search };
}

/** Accepts both forms of a code (docs/protocol.md#12-qr-payload). */
function originOf(qr: string): string | null {
  const code = parseUrl(qr);
  return parseUrl(code?.searchParams.get("webhook") ?? qr)?.origin ?? null;
}

export async function requestJson<Outcome>(
  url: string,
  read: (body: unknown) => Outcome,
): Promise<Outcome | FetchFailure> {
  const fetched = await fetchJson(url);
  return fetched.kind === "ok" ? read(fetched.body) : fetched;
}

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

/** Redeeming the answered login replaces this browser's session. */
export function approvalSource(): LoginSource {
  return stopLoginOnForbidden(createSiteSource("login", { direct: true, intent: "approve" }));
}

/** For codes that approve a change, a 403 means that the browser is signed out (docs/protocol.md#36-intents). */
export function stopLoginOnForbidden(source: LoginSource): LoginSource {
  const issue: LoginSource["issue"] = async (sid) => {
    const outcome = await source.issue(sid);
    return outcome.kind === "forbidden" ? { kind: "ended" } : outcome;
  };
  return { ...source, issue };
}

export function parseIssueOutcome(body: unknown): IssueOutcome {
  const sid = readTextField(body, "sid");
  const qr = readTextField(body, "qr");
  return sid && qr ? { kind: "issued", sid, qr } : { kind: "broken" };
}

/** The data of an event has the same format as the response from `GET /api/svc/check`. */
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
