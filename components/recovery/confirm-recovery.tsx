"use client";

import { ConfirmChoice } from "#components/ui/confirm-choice.tsx";
import { signIn } from "#lib/login/client/next-auth.ts";
import { RECOVERY_PATH } from "#lib/recovery/client/recovering-source.ts";

/** The user's word on what answered the code. What follows, the server says: signed in, or a recovery that waits. */
export function ConfirmRecovery({ sid, provider }: { sid: string; provider: "svc" | "fast" }) {
  const confirm = async () => {
    try {
      const { ok } = await signIn(provider, { sid });
      window.location.assign(ok ? "/dashboard" : RECOVERY_PATH);
      return null;
    } catch {
      return "We cannot reach the site. Try again.";
    }
  };
  return (
    <ConfirmChoice declineHref={RECOVERY_PATH} busy="Recovering…" confirm={confirm}>
      It is mine
    </ConfirmChoice>
  );
}
