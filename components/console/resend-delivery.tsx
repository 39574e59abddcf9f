"use client";

import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button.tsx";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { FailureLine } from "./failure-line.tsx";
import { useConsoleAction } from "./use-console-action.ts";

/** Sends an event again, now. */
export function ResendDelivery({ mode, id }: { mode: ApiMode; id: string }) {
  const router = useRouter();
  const { pending, failure, run } = useConsoleAction(mode);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        size="small"
        disabled={pending}
        onClick={() => run("POST", `/deliveries/${id}/resend`, undefined, () => router.refresh())}
      >
        {pending ? "Sending…" : "Send again"}
      </Button>
      <FailureLine failure={failure} />
    </div>
  );
}
