"use client";

import { useState, useTransition } from "react";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { signIn } from "#lib/login/client/next-auth.ts";

/** The user's word on what answered the code. What follows, the server says: signed in, or a recovery that waits. */
export function ConfirmRecovery({ sid, provider }: { sid: string; provider: "svc" | "fast" }) {
  const [pending, start] = useTransition();
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = () =>
    start(async () => {
      try {
        const { ok } = await signIn(provider, { sid });
        window.location.assign(ok ? "/dashboard" : "/recover");
      } catch {
        setProblem("We cannot reach the site. Try again.");
      }
    });
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-2 gap-3">
        <ButtonLink href="/recover">Not mine</ButtonLink>
        <Button variant="primary" disabled={pending} onClick={confirm}>
          {pending ? "Recovering…" : "It is mine"}
        </Button>
      </div>
      <p role="status" className="text-danger text-sm empty:hidden">
        {problem}
      </p>
    </div>
  );
}
