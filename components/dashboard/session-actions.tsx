"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { endAllSessions, endSession } from "#lib/client/end-session.ts";
import { useApproval } from "#lib/client/use-approval.ts";

/** Ends another browser's session and shows the list as it is then. */
export function RevokeButton({ id, browser }: { id: string; browser: string }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const [failed, setFailed] = useState(false);
  const revoke = () =>
    start(async () => {
      const { done } = await endSession(id);
      setFailed(!done);
      if (done) router.refresh();
    });
  return (
    <div className="flex items-center">
      <span role="status" className="text-danger text-sm not-empty:mr-3">
        {failed && "Not revoked. Try again."}
      </span>
      <Button
        variant="danger"
        size="small"
        disabled={pending}
        onClick={revoke}
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
export function SignOutEverywhere({ apiKeys }: { apiKeys: number }) {
  const ask = useApproval();
  const [revokesKeys, setRevokesKeys] = useState(false);
  const [asking, setAsking] = useState(false);
  const [pending, start] = useTransition();
  const [failed, setFailed] = useState(false);
  if (!asking) {
    return (
      <Button variant="danger" size="small" onClick={() => setAsking(true)}>
        Sign out everywhere
      </Button>
    );
  }
  const signOut = () =>
    start(async () => {
      const result = await ask(() => endAllSessions(revokesKeys));
      setFailed(!result.done);
      if (result.done) window.location.assign("/login");
    });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons is no fieldset of a form
    <div role="group" aria-label="Sign out everywhere" className="flex flex-wrap items-center gap-3">
      <span role="status" className="text-sm">
        {failed ? "That did not work. Try again?" : "On every browser, this one too?"}
      </span>
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
      <Button variant="danger" size="small" disabled={pending} onClick={signOut} autoFocus>
        Yes, sign out everywhere
      </Button>
      <Button size="small" disabled={pending} onClick={() => setAsking(false)}>
        Cancel
      </Button>
    </div>
  );
}
