"use client";

import { useApproval } from "#components/approval/use-approval.ts";
import { ConfirmChoice } from "#components/ui/confirm-choice.tsx";
import { addCredential } from "./change-credential.ts";

/** The user's word on what answered the code. */
export function ConfirmAddition({ sid }: { sid: string }) {
  const ask = useApproval();
  const confirm = async () => {
    const result = await ask(() => addCredential(sid));
    if (!result.done) return result.message;
    window.location.assign("/dashboard");
    return null;
  };
  return (
    <ConfirmChoice declineHref="/dashboard" busy="Adding…" confirm={confirm}>
      Add it
    </ConfirmChoice>
  );
}
