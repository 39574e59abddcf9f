import type { Action } from "../protocol/challenge.ts";
import { REFUSAL_REASONS, type RefusalReason } from "../protocol/errors.ts";
import type { Intent } from "../protocol/qr-payload.ts";
import { type Failure, fetchJson, readText } from "./fetch-json.ts";
import { parseUrl } from "./parse-url.ts";

/** A code to show, or why there is none. */
export type IssueOutcome =
  | { kind: "issued"; sid: string; qr: string }
  /** A wallet has answered in the meantime. */
  | { kind: "authenticated"; sid: string; redirect: string | null }
  /** This browser is signed in already, by another login. */
  | { kind: "signed-in" }
  /** The browser rejects cookies, so it could not be signed in. */
  | { kind: "no-cookies" }
  /** The page is not at the site's own origin, where it would be signed in. `url` is this page there. */
  | { kind: "elsewhere"; url: string }
  | Failure;

/** The status of a login, or why it is unknown. `redirect` is where the server sends the browser next. */
export type CheckOutcome =
  | { kind: "pending" }
  | { kind: "unregistered" }
  | { kind: "authenticated"; redirect: string | null }
  | Failure;

/** Where the login panel gets its codes and statuses from. One for each kind of login; the panel treats all alike. */
export type LoginSource = {
  /** NextAuth's provider that redeems these logins; null if the page that follows has to confirm them first. */
  provider: string | null;
  /** True to redeem them by one request instead, `POST /api/svc/sign-in`, if the site has it. */
  direct?: boolean;
  /** A new code: for `sid` when it is given and still this browser's, else for a new session. */
  issue(sid: string | null): Promise<IssueOutcome>;
  check(sid: string): Promise<CheckOutcome>;
  /** The URL of a session's server-sent events; null when there are none and the page only polls. */
  eventsUrl(sid: string): string | null;
  /**
   * Reports the shown code to others, such as a wallet in another tab: `qr`, null while codes are not renewed. Calls
   * `next` when they need another code. Returns a function that ends this.
   */
  shareCode?(sid: string, qr: string | null, next: () => void): () => void;
};

/**
 * The site's own endpoints (docs/protocol.md#3-login).
 * @param options.direct signs in with one request, if the site has that endpoint
 * @param options.enterAt the path of a route that redeems an answered login itself; it gets the `sid`, and the
 *   page's `callbackUrl`
 */
export function siteSource(
  mode: Action,
  { direct = false, enterAt }: { direct?: boolean; enterAt?: string } = {},
): LoginSource {
  const codes = siteCodes(mode, { direct });
  return enterAt === undefined ? codes : confirmOnPage(enterAt, codes);
}

/** As `siteSource`. @param options.intent what its codes ask for, instead of a login (docs/protocol.md#36-intents) */
export function siteCodes(
  mode: Action,
  { direct = false, intent }: { direct?: boolean; intent?: Intent },
): LoginSource {
  const asked: Record<string, string> = intent === undefined ? { mode } : { mode, intent };
  const query = (sid: string | null) => new URLSearchParams(sid === null ? asked : { ...asked, sid });
  return {
    ...{ provider: "svc", direct },
    issue: async (sid) => {
      const outcome = await askFor(`/api/svc/qr?${query(sid)}`, readIssue);
      return direct ? atOwnOrigin(outcome) : outcome;
    },
    check: (sid) => askFor(`/api/svc/check?${new URLSearchParams({ sid })}`, readCheck),
    eventsUrl: (sid) => `/api/svc/events?${new URLSearchParams({ sid })}`,
  };
}

/**
 * A code, if the page is at the origin to which wallets send their answers: no other page can sign in by it
 * (`POST /api/svc/sign-in`). `localhost` and `127.0.0.1` are two origins.
 */
function atOwnOrigin(outcome: IssueOutcome): IssueOutcome {
  if (outcome.kind !== "issued") return outcome;
  const { origin, pathname, search } = window.location;
  const own = originOf(outcome.qr);
  return own === null || own === origin ? outcome : { kind: "elsewhere", url: own + pathname + search };
}

/** Where a wallet sends its answer to a code of either form (docs/protocol.md#12-qr-payload). */
function originOf(qr: string): string | null {
  const code = parseUrl(qr);
  return parseUrl(code?.searchParams.get("webhook") ?? qr)?.origin ?? null;
}

/** Asks our own API, and reads its answer if there is one. */
export async function askFor<Outcome>(
  url: string,
  read: (body: unknown) => Outcome,
): Promise<Outcome | Failure> {
  const fetched = await fetchJson(url);
  return fetched.kind === "ok" ? read(fetched.body) : fetched;
}

/** A source whose answers are confirmed on a separate page, at `path`. */
export function confirmOnPage(path: string, source: LoginSource): LoginSource {
  const redirected = <Outcome extends IssueOutcome | CheckOutcome>(outcome: Outcome, sid: string): Outcome =>
    outcome.kind === "authenticated"
      ? { ...outcome, redirect: `${path}?${new URLSearchParams({ sid })}` }
      : outcome;
  return {
    ...source,
    // The login is redeemed, if at all, once it is confirmed. A stream's answer would name the flow's own redirect.
    provider: null,
    eventsUrl: () => null,
    issue: async (sid) => {
      const outcome = await source.issue(sid);
      return outcome.kind === "authenticated" ? redirected(outcome, outcome.sid) : outcome;
    },
    check: async (sid) => redirected(await source.check(sid), sid),
  };
}

/** Codes with which a key of the signed-in user approves a change. Redeeming one renews this browser's session. */
export function siteApprovingSource(): LoginSource {
  return approvingSource(siteCodes("login", { direct: true, intent: "approve" }));
}

/** A source of codes that approve. A 403 means that the browser is signed out (docs/protocol.md#36-intents). */
export function approvingSource(source: LoginSource): LoginSource {
  const issue: LoginSource["issue"] = async (sid) => {
    const outcome = await source.issue(sid);
    return outcome.kind === "forbidden" ? { kind: "ended" } : outcome;
  };
  return { ...source, issue };
}

/** Reads the answer of `GET /api/svc/qr`, or of another endpoint that issues codes. */
export function readIssue(body: unknown): IssueOutcome {
  const sid = readText(body, "sid");
  const qr = readText(body, "qr");
  return sid && qr ? { kind: "issued", sid, qr } : { kind: "broken" };
}

/** Reads the answer of `GET /api/svc/check`, which the event stream repeats. */
export function readCheck(body: unknown): CheckOutcome {
  const status = readText(body, "status");
  if (status === "pending" || status === "unregistered") return { kind: status };
  if (status === "authenticated") return { kind: "authenticated", redirect: readText(body, "redirect") };
  return { kind: "broken" };
}

/** Reads the data of a `refused` event. */
export function readRefusal(body: unknown): RefusalReason | null {
  const named = readText(body, "reason");
  return REFUSAL_REASONS.find((reason) => reason === named) ?? null;
}
