"use client";

import { endBrowser, goneIsDone } from "@svc/login/account";
import { requestChange } from "@svc/login/recovery";
import { Monitor, Smartphone } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useChange } from "#components/approval/approval-provider.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ConfirmButton } from "#components/ui/confirm-button.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";

export type BrowserSessionItem = {
  id: string;
  /** The browser in words. */
  browser: string;
  /** It is on a phone or tablet. */
  mobile: boolean;
  /** The way in that opened it, in words. */
  signedInWith: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastSeenAt: string;
  /** True for the browser that looks at the list. */
  current: boolean;
};

/**
 * The user's signed-in browsers, each to be revoked, or all at once.
 * @param apiKeys how many API keys outlive them
 */
export function BrowserSessionList({
  sessions,
  apiKeys,
}: {
  sessions: BrowserSessionItem[];
  apiKeys: number;
}) {
  return (
    <Card aria-labelledby="sessions">
      <CardHeader
        title="Where you are signed in"
        id="sessions"
        actions={<SignOutEverywhere apiKeys={apiKeys} />}
      >
        {sessions.length === 1
          ? "No other browser is signed in."
          : "Sign out what you do not recognise: it ends at once."}
      </CardHeader>
      <ul className="-mb-4 divide-y border-t">
        {sessions.map((session) => (
          <BrowserRow key={session.id} session={session} />
        ))}
      </ul>
    </Card>
  );
}

function BrowserRow({ session }: { session: BrowserSessionItem }) {
  const { id, browser, mobile, signedInWith, createdAt, lastSeenAt, current } = session;
  const Icon = mobile ? Smartphone : Monitor;
  return (
    <li className="flex items-start gap-3 py-4 sm:items-center sm:gap-4">
      <Icon aria-hidden className="mt-0.5 size-6 shrink-0 text-muted-foreground sm:mt-0" strokeWidth={1.5} />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          {browser}
          {current && <Badge tone="success">This browser</Badge>}
        </p>
        <p className="wrap-anywhere text-muted-foreground text-sm">
          With {signedInWith} · <LocalTime iso={createdAt} />
          {!current && (
            <span className="block">
              Last seen <LocalTime iso={lastSeenAt} />
            </span>
          )}
        </p>
      </div>
      {!current && <EndSession id={id} browser={browser} />}
    </li>
  );
}

/** Ends another browser's session and shows the list as it is then. */
function EndSession({ id, browser }: { id: string; browser: string }) {
  const router = useRouter();
  const { pending, problem, change } = useChange();
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-end">
      <span role="status" className="text-danger text-sm not-empty:mr-3">
        {problem}
      </span>
      <Button
        variant="danger"
        size="small"
        disabled={pending}
        onClick={() =>
          change(
            () => endBrowser(id),
            () => router.refresh(),
          )
        }
        aria-label={`Sign out ${browser}`}
      >
        {pending ? "Signing out…" : "Sign out"}
      </Button>
    </div>
  );
}

/**
 * Ends every session, this one too, and if it is wished the API keys; asks once, because every device has to scan
 * again, and what uses the keys stops working.
 */
function SignOutEverywhere({ apiKeys }: { apiKeys: number }) {
  const [revokesKeys, setRevokesKeys] = useState(false);
  const { pending, problem, change } = useChange();
  const query = revokesKeys ? "?api_keys=revoke" : "";
  const signOut = () =>
    change(
      async () => goneIsDone(await requestChange(`/api/account/sessions${query}`, "DELETE")),
      () => window.location.assign("/login"),
      "Sign out everywhere, and revoke API keys",
    );
  return (
    <ConfirmButton
      label="Sign out everywhere"
      question="On every browser, this one too?"
      confirmLabel="Yes, sign out everywhere"
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
