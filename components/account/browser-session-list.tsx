"use client";

import type { SignedInBrowser } from "@svc/login";
import { endBrowser, treatGoneAsDone } from "@svc/login/account";
import { announceSignOut, requestChange } from "@svc/login/client";
import { useState } from "react";
import { ChangeButton, useChange } from "#packages/react/approval/approval-provider.tsx";
import { ConfirmButton } from "#packages/react/ui/dialog.tsx";
import { Badge, Section } from "#packages/react/ui/elements.tsx";
import { Monitor, Smartphone } from "#packages/react/ui/icons.tsx";
import { TimeAgo } from "#packages/react/ui/time.tsx";

/**
 * The user's signed-in browsers, which can be signed out one by one or together.
 * @param props.browsers with the display name of the sign-in method (`signedInWith`)
 */
export function BrowserSessionList({
  browsers,
  ...everywhere
}: { browsers: SignedInBrowser[] } & SignOutEverywhereProps) {
  return (
    <Section
      id="sessions"
      title="Where you are signed in"
      text={browsers.length === 1 ? "No other browser is signed in." : "Don’t recognise one? Sign it out."}
      // With one browser it would be a second "Sign out".
      actions={(browsers.length > 1 || everywhere.apiKeys > 0) && <SignOutEverywhere {...everywhere} />}
    >
      <ul className="-mb-4 divide-y border-t">
        {browsers.map((browser) => (
          <BrowserRow key={browser.id} {...browser} />
        ))}
      </ul>
    </Section>
  );
}

function BrowserRow(browser: SignedInBrowser) {
  const { id, name, isMobile, signedInWith, signedInAt, lastSeenAt, isCurrent } = browser;
  const Icon = isMobile ? Smartphone : Monitor;
  return (
    <li className="flex items-start gap-3 py-4 sm:items-center sm:gap-4">
      <Icon aria-hidden className="mt-0.5 size-6 shrink-0 text-muted-foreground sm:mt-0" strokeWidth={1.5} />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          {name}
          {isCurrent && <Badge tone="success">This browser</Badge>}
        </p>
        <p className="wrap-anywhere text-muted-foreground text-sm">
          Signed in with {signedInWith} · <TimeAgo iso={signedInAt} />
          {!isCurrent && (
            <span className="block">
              Last seen <TimeAgo iso={lastSeenAt} />
            </span>
          )}
        </p>
      </div>
      {!isCurrent && (
        <div className="shrink-0">
          <ChangeButton
            ask={() => endBrowser(id)}
            busyLabel="Signing out…"
            variant="danger"
            describe={`Sign out ${name}`}
          >
            Sign out
          </ChangeButton>
        </div>
      )}
    </li>
  );
}

type SignOutEverywhereProps = {
  /** How many API keys outlive the sessions. */
  apiKeys: number;
  /** No sign-in method works, so the user cannot sign in again. */
  isLast: boolean;
};

/**
 * Ends every session, this one too, and revokes the API keys if the user wishes. Asks first, because every device has
 * to scan again, and what uses the keys stops working.
 */
function SignOutEverywhere({ apiKeys, isLast }: SignOutEverywhereProps) {
  const [revokesKeys, setRevokesKeys] = useState(false);
  const { pending, problem, change } = useChange();
  const query = revokesKeys ? "?api_keys=revoke" : "";
  const signOut = () =>
    change(
      async () => treatGoneAsDone(await requestChange(`/api/account/sessions${query}`, "DELETE")),
      () => {
        announceSignOut();
        window.location.assign("/login");
      },
      "Sign out everywhere, and revoke API keys",
    );
  return (
    <ConfirmButton
      label="Sign out everywhere"
      question={
        isLast
          ? "You’ll be signed out here too. Your temporary wallet is gone, so you cannot sign in to this account again."
          : "You’ll be signed out here too."
      }
      confirmLabel="Sign out"
      title="Sign out of all browsers?"
      pending={pending}
      problem={problem}
      onConfirm={signOut}
    >
      {apiKeys > 0 && (
        <label className="flex min-h-9 items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={revokesKeys}
            disabled={pending}
            onChange={(event) => setRevokesKeys(event.target.checked)}
            className="size-4 accent-primary"
          />
          {apiKeys === 1 ? "Revoke your API key too" : `Revoke your ${apiKeys} API keys too`}
        </label>
      )}
    </ConfirmButton>
  );
}
