"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useApproval } from "#components/approval/use-approval.ts";
import { Button } from "#components/ui/button.tsx";
import type { ButtonVariant } from "#components/ui/button-class.ts";
import type { ChangeResult } from "#lib/approval/request-change.ts";

/** A button that asks for one change, has it approved if that is needed, and shows the page as it is then. */
export function ChangeButton({
  ask,
  busy,
  variant,
  children,
}: {
  ask: () => Promise<ChangeResult>;
  /** The button's words while it is waited for. */
  busy: string;
  variant?: ButtonVariant;
  children: React.ReactNode;
}) {
  const router = useRouter();
  const withApproval = useApproval();
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, start] = useTransition();
  const change = () =>
    start(async () => {
      const result = await withApproval(ask);
      setProblem(result.done ? null : result.message);
      if (result.done) router.refresh();
    });
  return (
    <span className="inline-flex flex-wrap items-center gap-3">
      <Button size="small" variant={variant} disabled={pending} onClick={change}>
        {pending ? busy : children}
      </Button>
      <span role="status" className="text-danger text-sm empty:absolute">
        {problem}
      </span>
    </span>
  );
}
