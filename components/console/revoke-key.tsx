"use client";

import { useRouter } from "next/navigation";
import { ConfirmButton } from "#components/ui/confirm-button.tsx";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { FailureLine } from "./failure-line.tsx";
import { useConsoleAction } from "./use-console-action.ts";

/** Revokes a key, after asking once. */
export function RevokeKey({ mode, id, name }: { mode: ApiMode; id: string; name: string }) {
  const router = useRouter();
  const { pending, failure, run } = useConsoleAction(mode);
  return (
    <div className="grid gap-2">
      <ConfirmButton
        label="Revoke"
        describe={`Revoke ${name}`}
        question="What uses it stops working at once."
        confirmLabel="Revoke key"
        pending={pending}
        onConfirm={() => run("DELETE", `/keys/${id}`, undefined, () => router.refresh())}
      />
      <FailureLine failure={failure} />
    </div>
  );
}
