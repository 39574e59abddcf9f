"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useApproval } from "#components/approval/use-approval.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmButton } from "#components/ui/confirm-button.tsx";
import { endAllSessions, endSession } from "./end-session.ts";

/** Ends another browser's session and shows the list as it is then. */
export function RevokeButton({ id, browser }: { id: string; browser: string }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const [problem, setProblem] = useState<string | null>(null);
  const revoke = () =>
    start(async () => {
      const result = await endSession(id);
      setProblem(result.done ? null : result.message);
      if (result.done) router.refresh();
    });
  return (
    <div className="flex items-center">
      <span role="status" className="text-danger text-sm not-empty:mr-3">
        {problem}
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
  const [pending, start] = useTransition();
  const [problem, setProblem] = useState<string | null>(null);
  const signOut = () =>
    start(async () => {
      const result = await ask(() => endAllSessions(revokesKeys));
      if (result.done) window.location.assign("/login");
      else setProblem(result.message);
    });
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
