"use client";

import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button.tsx";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { useConsoleAction } from "./use-console-action.ts";

/** Looks for the proof now; what was found, found or not, the server then shows below. */
export function VerifyDomain({ mode, id }: { mode: ApiMode; id: string }) {
  const router = useRouter();
  const { pending, failure, run } = useConsoleAction(mode);
  const show = () => router.refresh();
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        variant="primary"
        disabled={pending}
        onClick={() => run("POST", `/domains/${id}/verify`, undefined, show, show)}
      >
        {pending ? "Looking…" : "Verify now"}
      </Button>
      <p role="alert" className="text-danger text-sm">
        {failure?.message}
      </p>
    </div>
  );
}
