"use client";

import type { Account, AccountEvent } from "@svc/login";
import { dismissChanges, endBrowser, removeSignInMethod } from "@svc/login/account";
import { requestChange } from "@svc/login/client";
import { ChangeButton } from "#packages/react/approval/approval-provider.tsx";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { Notice } from "#packages/react/ui/elements.tsx";
import { LocalTime } from "#packages/react/ui/time.tsx";

/** A notice above everything else on the dashboard. */
function Warning({ id, title, children }: { id: string; title: string; children: React.ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <Notice tone="warning">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {children}
      </Notice>
    </section>
  );
}

/** A change in words; `subject` names the key, address, API key or domain, if there is one. */
export type ChangeItem = Pick<AccountEvent, "id" | "at" | "browser" | "subject"> & { what: string };

/** Changes of the account. Shown until the user dismisses them in this browser. */
export function ChangeNotices({ changes }: { changes: ChangeItem[] }) {
  if (changes.length === 0) return null;
  return (
    <Warning id="changes" title="Your account was changed">
      <ul className="mt-2 grid gap-2">
        {changes.map(({ id, at, what, subject, browser }) => (
          <li key={id} className="wrap-anywhere">
            {what}
            {subject && (
              <>
                : <span className="font-semibold">{subject}</span>
              </>
            )}
            <span className="block text-muted-foreground">
              {browser}, <LocalTime iso={at} />
            </span>
          </li>
        ))}
      </ul>
      <p className="my-3">
        Was this you? If not, remove everything below that you don’t recognise, then sign out everywhere.
      </p>
      <ChangeButton ask={() => dismissChanges(changes.map(({ id }) => id))} busy="Dismissing…">
        It was me, dismiss
      </ChangeButton>
    </Warning>
  );
}

/** Announces in the user's other browsers that a browser has signed in to the account for the first time. */
export function NewBrowserNotice({ id, at, name, sessionId }: Account["newBrowsers"][number]) {
  const dismiss = sessionId === null ? "Dismiss" : "It is mine, dismiss";
  return (
    <Warning id={`browser-${id}`} title="A new browser signed in">
      <p className="wrap-anywhere">
        {name}, <LocalTime iso={at} />
      </p>
      <p>
        {sessionId === null
          ? "It is signed out."
          : "Not you? Somebody may have tricked you into scanning their code. Sign it out."}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {sessionId !== null && (
          <ChangeButton ask={() => endBrowser(sessionId)} busy="Sign it out" variant="danger">
            Sign it out
          </ChangeButton>
        )}
        <ChangeButton ask={() => dismissChanges([id])} busy={dismiss}>
          {dismiss}
        </ChangeButton>
      </div>
    </Warning>
  );
}

/** A change that an undone sign-in has left behind, in words. */
export type LeftItem = {
  kind: AccountEvent["kind"];
  credentialId: string | null;
  what: string;
  name: string | null;
};

/** Where each kind of change is reversed that has no button here. */
const REVERSED_AT: Partial<Record<AccountEvent["kind"], { href: string; label: string }>> = {
  api_key_created: { href: "/console", label: "Revoke it on the console" },
  webhook_url_changed: { href: "/console", label: "Check it on the console" },
  webhook_secret_rotated: { href: "/console", label: "Check it on the console" },
  recovery_codes_made: { href: "/dashboard/recovery", label: "Make new codes" },
};

/** The changes of an undone sign-in that are still in effect, because an undo does not reverse changes. */
export function UndoneNotice({
  id,
  at,
  browser,
  left,
}: {
  id: string;
  at: string;
  browser: string;
  left: LeftItem[];
}) {
  return (
    <Warning id={`undone-${id}`} title="Changes that an undone sign-in left behind">
      <p className="wrap-anywhere">
        {browser}, undone <LocalTime iso={at} />. Its browser is signed out, but these changes remain:
      </p>
      <ul className="my-3 grid gap-3">
        {left.map(({ kind, credentialId, what, name }) => {
          const place = REVERSED_AT[kind];
          return (
            <li
              key={`${kind} ${credentialId ?? name}`}
              className="flex flex-wrap items-center gap-3 wrap-anywhere"
            >
              <span>
                {what}
                {name && (
                  <>
                    : <span className="font-semibold">{name}</span>
                  </>
                )}
              </span>
              {credentialId !== null && (
                <ChangeButton
                  ask={() => removeSignInMethod(credentialId)}
                  busy="Removing…"
                  variant="danger"
                  describe={`Remove ${name ?? "it"}`}
                >
                  Remove
                </ChangeButton>
              )}
              {place && (
                <ButtonLink size="small" href={place.href}>
                  {place.label}
                </ButtonLink>
              )}
            </li>
          );
        })}
      </ul>
      <ChangeButton ask={() => dismissChanges([id])} busy="Dismissing…">
        Keep these, dismiss
      </ChangeButton>
    </Warning>
  );
}

const revokeApiKeys = () => requestChange("/api/account/api-keys", "DELETE");

/** The remaining steps after a recovery. Shown until new codes are made. */
export function AfterRecovery({
  recoveredAt,
  apiKeys,
  waysBefore,
}: {
  /** ISO 8601. */
  recoveredAt: string;
  /** How many API keys outlived the recovery. */
  apiKeys: number;
  /** How many sign-in methods are older than the recovery. */
  waysBefore: number;
}) {
  return (
    <Warning id="recovered" title="You recovered this account">
      <p>
        That was <LocalTime iso={recoveredAt} />. The code is used up, and every other browser is signed out.
      </p>
      {waysBefore > 0 && (
        <p className="mt-2">
          {waysBefore === 1 ? "Your old sign-in method still works" : "Your old sign-in methods still work"}.
          If your wallet was stolen, or might be found, remove {waysBefore === 1 ? "it" : "them"} below now.
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-3">
        <ButtonLink variant="primary" size="small" href="/dashboard/recovery">
          Make new recovery codes
        </ButtonLink>
        {apiKeys > 0 && (
          <ChangeButton ask={revokeApiKeys} busy="Revoking…" variant="danger">
            {apiKeys === 1 ? "Revoke your API key" : `Revoke your ${apiKeys} API keys`}
          </ChangeButton>
        )}
      </div>
    </Warning>
  );
}
