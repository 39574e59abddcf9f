import type { Account, AccountEvent } from "@svc/login";
import type { NoticeFix, NoticeItem } from "#components/account/account-notices.tsx";
import { describeHistoryEntry } from "./history.tsx";

/** Null if that sign-in method was removed. */
export type NameOf = (credential: string | null) => string | null;

/** The events that the card about an unfinished recovery already covers. */
const RECOVERY_KINDS: readonly AccountEvent["kind"][] = [
  ...(["recovered", "recovery_opened", "recovery_pending", "recovery_codes_made"] as const),
  ...(["credential_added", "credential_removed", "api_key_created", "api_key_revoked"] as const),
];

const belongsToRecovery = ({ kind, at }: AccountEvent, recoveredAt: Date | null) =>
  recoveredAt !== null && RECOVERY_KINDS.includes(kind) && Date.parse(at) <= recoveredAt.getTime();

const TRICKED = "Somebody may have tricked you into scanning their code. Sign that browser out.";
const REVERSE =
  "Somebody else may have access to your account. Reverse the change, then sign out that person’s browser.";
const REMOVE =
  "Somebody else may have access to your account. Sign out that person’s browser, and remove every sign-in method that you don’t recognise.";

/** The pages on which the user can reverse changes that have no button on the dashboard. */
const REVERSED_AT: Partial<Record<AccountEvent["kind"], { href: string; label: string }>> = {
  api_key_created: { href: "/console", label: "Revoke the key in the console" },
  webhook_url_changed: { href: "/console", label: "Check the change in the console" },
  webhook_secret_rotated: { href: "/console", label: "Check the change in the console" },
  recovery_codes_made: { href: "/dashboard/recovery", label: "Create new codes" },
  recovery_opened: { href: "/dashboard/recovery", label: "Create new codes" },
};

/**
 * Newest first.
 * @param account the account, without the `changes` that this browser made or dismissed
 * @param recoveredAt when the account was recovered, if the page shows the card about this recovery
 */
export function createNotices(account: Account, nameOf: NameOf, recoveredAt: Date | null): NoticeItem[] {
  const { newBrowsers, undone, changes, history } = account;
  const undoneNotices = undone.map((signIn) => undoneNotice(signIn, changes, nameOf));
  const shownEventIds = new Set(undoneNotices.flatMap(({ ids }) => ids));
  return [
    ...newBrowsers.filter((browser) => !isSettled(browser, history)).map(browserNotice),
    ...undoneNotices,
    ...changes.flatMap((event) =>
      shownEventIds.has(event.id) || belongsToRecovery(event, recoveredAt)
        ? []
        : changeNotice(event, account, nameOf),
    ),
  ].toSorted((a, b) => b.at.localeCompare(a.at));
}

/** The history entries that the card about an unfinished recovery covers. */
export function findRecoveryIds({ changes }: Account, recoveredAt: Date): string[] {
  return changes.flatMap((event) => (belongsToRecovery(event, recoveredAt) ? [event.id] : []));
}

type NewBrowser = Account["newBrowsers"][number];

/** If the new browser signed itself out, the user is still notified. */
function isSettled({ sessionId, name, at }: NewBrowser, history: readonly AccountEvent[]): boolean {
  return (
    sessionId === null &&
    history.some(
      (event) =>
        event.kind === "session_ended" &&
        (event.reason === "revoked" || event.reason === "undone") &&
        event.browser === name &&
        event.at >= at,
    )
  );
}

function browserNotice({ id, at, name, sessionId }: NewBrowser): NoticeItem {
  return {
    ids: [id],
    at,
    what: "A new browser signed in",
    detail: sessionId === null ? `${name}, which has signed out again` : name,
    advice: sessionId === null ? REMOVE : TRICKED,
    fixes: sessionId === null ? [] : [{ what: null, label: "Sign it out", endsBrowser: sessionId }],
  };
}

/** Undoing a sign-in does not reverse the changes that were made during it. */
function undoneNotice(
  { id, at, browser, left }: Account["undone"][number],
  changes: readonly AccountEvent[],
  nameOf: NameOf,
): NoticeItem {
  const ids = changes.filter((event) =>
    left.some(
      ({ kind, credential, subject }) =>
        event.kind === kind && event.credential === credential && event.subject === subject,
    ),
  );
  const fixes = left.flatMap((change): NoticeFix[] => {
    const what = changeText({ ...change, reason: null }, nameOf);
    const place = REVERSED_AT[change.kind];
    if (what === null) return [];
    if (change.credentialId) return [{ what, label: "Remove", removesSignInMethod: change.credentialId }];
    return place ? [{ what, ...place }] : [];
  });
  return {
    ids: [id, ...ids.map((event) => event.id)],
    at,
    what: "A sign-in that you undid left changes behind",
    detail: [browser, ...fixes.map(({ what }) => what)].join(" · "),
    advice: "Its browser is signed out, but these changes remain:",
    fixes,
  };
}

function changeNotice(event: AccountEvent, { signInMethods }: Account, nameOf: NameOf): NoticeItem[] {
  const what = changeText(event, nameOf);
  if (what === null) return [];
  const { id, at, kind, browser, credential } = event;
  const added =
    kind === "credential_added" ? signInMethods.find(({ name }) => name === credential) : undefined;
  const place = REVERSED_AT[kind];
  const fixes: NoticeFix[] = added
    ? [{ what: null, label: "Remove it", removesSignInMethod: added.id }]
    : place
      ? [{ what: null, ...place }]
      : [];
  return [{ ids: [id], at, what, detail: browser, advice: fixes.length > 0 ? REVERSE : REMOVE, fixes }];
}

function changeText(
  change: Pick<AccountEvent, "kind" | "reason" | "credential" | "subject">,
  nameOf: NameOf,
): string | null {
  const what = describeHistoryEntry(change);
  const name = change.subject ?? nameOf(change.credential) ?? change.credential;
  return what && name ? `${what}: ${name}` : what;
}
