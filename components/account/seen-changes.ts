import type { AccountEvent } from "@svc/login";
import type { AppliedChange } from "@svc/login/client";
import { getSeenChangesCookieName } from "#lib/platform/http/preference-cookies.ts";

/*
 * A browser does not warn its user about changes that were made or dismissed in that browser. The page records them in
 * a cookie for the server. A thief who has only copied the session token cannot write this cookie, so this browser
 * still warns about the thief's changes. The history always shows every change.
 */

const KINDS: readonly [request: RegExp, kind: AccountEvent["kind"]][] = [
  [/^POST \/api\/account\/credentials$/, "credential_added"],
  [/^DELETE \/api\/account\/credentials\//, "credential_removed"],
  [/^DELETE \/api\/account\/api-keys$/, "api_key_revoked"],
  [/^DELETE \/api\/account\/recovery$/, "recovery_cancelled"],
  [/^POST \/api\/account\/recovery-codes$/, "recovery_codes_made"],
  [/^POST \/api\/console\/[a-z]+\/keys$/, "api_key_created"],
  [/^DELETE \/api\/console\/[a-z]+\/keys\//, "api_key_revoked"],
  [/^POST \/api\/console\/[a-z]+\/domains\/[^/]+\/rotate-secret$/, "webhook_secret_rotated"],
  [/^PATCH \/api\/console\/[a-z]+\/domains\//, "webhook_url_changed"],
  [/^DELETE \/api\/console\/[a-z]+\/domains\//, "domain_deleted"],
];

const RETENTION_SECONDS = 7 * 24 * 3_600;
const MAX_NOTES = 40;

export function recordOwnChange({ method, path, from, to }: AppliedChange): void {
  const kind = KINDS.find(([request]) => request.test(`${method} ${path}`))?.[1];
  if (kind) note([`${kind}-${Math.floor(from / 1000)}-${Math.ceil(to / 1000)}`]);
}

export function recordDismissed(ids: readonly string[]): void {
  note(ids);
}

function note(notes: readonly string[]): void {
  const { protocol } = window.location;
  const name = getSeenChangesCookieName(protocol);
  const stored = document.cookie.split("; ").find((pair) => pair.startsWith(`${name}=`));
  const earlier = stored ? notesIn(stored.slice(name.length + 1)) : [];
  const list = [...notes, ...earlier].slice(0, MAX_NOTES);
  const attributes = `Path=/; Max-Age=${RETENTION_SECONDS}; SameSite=Lax${protocol === "https:" ? "; Secure" : ""}`;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the cookie store, nor every origin
  document.cookie = `${name}=${list.join(".")}; ${attributes}`;
}

/** The `Date` header is accurate only to the second. */
const CLOCK_ERROR_MS = 1_000;

/** @param cookie the cookie's value as received */
export function isDismissed(id: string, cookie: string | undefined): boolean {
  return notesIn(cookie).includes(id);
}

const notesIn = (cookie = "") => cookie.split(".", MAX_NOTES);

/**
 * Omits dismissed changes.
 * @param cookie the cookie's value as received
 */
export function splitChanges<Event extends Pick<AccountEvent, "id" | "at" | "kind">>(
  events: readonly Event[],
  cookie: string | undefined,
): { open: Event[]; ownChanges: Event[] } {
  const notes = notesIn(cookie).flatMap((text) => readNote(text) ?? []);
  const ownChanges = events.filter((event) => {
    const matching = notes.filter((note) => isMadeBy(note, event));
    // One request can make several changes at the same moment. If there are more such moments than recorded requests,
    // someone else made one of the changes, and it is unclear which.
    const competing = events.filter((other) => matching.some((note) => isMadeBy(note, other)));
    return matching.length > 0 && new Set(competing.map(({ at }) => at)).size <= matching.length;
  });
  const open = events.filter((event) => !ownChanges.includes(event) && !isDismissed(event.id, cookie));
  return { open, ownChanges };
}

type Note = { kind: string; fromMs: number; toMs: number };

function readNote(text: string): Note | null {
  const [, kind = "", from, to] = /^([a-z_]{1,40})-(\d{1,12})-(\d{1,12})$/.exec(text) ?? [];
  return kind === "" ? null : { kind, fromMs: Number(from) * 1000, toMs: Number(to) * 1000 };
}

function isMadeBy({ kind, fromMs, toMs }: Note, event: Pick<AccountEvent, "at" | "kind">): boolean {
  const at = Date.parse(event.at);
  return event.kind === kind && at >= fromMs - CLOCK_ERROR_MS && at <= toMs + CLOCK_ERROR_MS;
}
