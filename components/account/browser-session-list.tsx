"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useChange } from "#components/approval/approval-provider.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ConfirmButton } from "#components/ui/confirm-button.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { endAllSessions, endSession } from "./account-requests.ts";

export type BrowserSessionItem = {
  id: string;
  /** The browser in words. */
  browser: string;
  /** The wallet's device, or null. */
  device: string | null;
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
        Revoke what you do not recognise: that browser is signed out at once.
      </CardHeader>
      <ul className="-mb-4 divide-y border-t">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                {session.browser}
                {session.current && <Badge tone="success">This browser</Badge>}
              </p>
              <p className="text-muted-foreground text-sm">
                Signed in <LocalTime iso={session.createdAt} />
                {session.device && <> with {session.device}</>}, last seen{" "}
                <LocalTime iso={session.lastSeenAt} />
              </p>
            </div>
            {!session.current && <RevokeButton id={session.id} browser={session.browser} />}
          </li>
        ))}
      </ul>
      {sessions.length === 1 && (
        <p className="mt-4 border-t pt-4 text-muted-foreground text-sm">No other browser is signed in.</p>
      )}
    </Card>
  );
}

/** Ends another browser's session and shows the list as it is then. */
function RevokeButton({ id, browser }: { id: string; browser: string }) {
  const router = useRouter();
  const { pending, problem, change } = useChange();
  return (
    <div className="flex items-center">
      <span role="status" className="text-danger text-sm not-empty:mr-3">
        {problem}
      </span>
      <Button
        variant="danger"
        size="small"
        disabled={pending}
        onClick={() =>
          change(
            () => endSession(id),
            () => router.refresh(),
          )
        }
        aria-label={`Revoke ${browser}`}
      >
        {pending ? "Revoking…" : "Revoke"}
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
  const signOut = () =>
    change(
      () => endAllSessions(revokesKeys),
      () => window.location.assign("/login"),
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
