"use client";

import { treatGoneAsDone } from "@svc/login/account";
import { announceSignOut, requestChange } from "@svc/login/client";
import { useState } from "react";
import { useChange } from "#packages/react/approval/approval-provider.tsx";
import { ConfirmButton } from "#packages/react/ui/dialog.tsx";

type SignOutEverywhereProps = {
  /** The keys remain valid unless the user also revokes them. */
  apiKeys: number;
  /** True if no sign-in method works, so that the user could not sign in again. */
  isLast: boolean;
};

/** Asks for confirmation first: every device must sign in again, and programs that use a revoked key stop working. */
export function SignOutEverywhere({ apiKeys, isLast }: SignOutEverywhereProps) {
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
          ? "You’ll be signed out here too. Your temporary wallet is gone, so you won’t be able to sign in to this account again."
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
