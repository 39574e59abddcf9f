"use client";

import { useState, useTransition } from "react";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { addCredential } from "#lib/client/change-credential.ts";
import { useApproval } from "#lib/client/use-approval.ts";

/** The user's word on what answered the code. */
export function ConfirmAddition({ sid }: { sid: string }) {
  const ask = useApproval();
  const [pending, start] = useTransition();
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = () =>
    start(async () => {
      const result = await ask(() => addCredential(sid));
      if (result.done) window.location.assign("/dashboard");
      else setProblem(result.message);
    });
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-2 gap-3">
        <ButtonLink href="/dashboard">Not mine</ButtonLink>
        <Button variant="primary" disabled={pending} onClick={confirm}>
          {pending ? "Adding…" : "Add it"}
        </Button>
      </div>
      <p role="status" className="text-danger text-sm empty:hidden">
        {problem}
      </p>
    </div>
  );
}
