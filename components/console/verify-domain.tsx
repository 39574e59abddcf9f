"use client";

import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button.tsx";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { useConsoleAction } from "./use-console-action.ts";

/** Looks for the proof and the delegation now; what was found, found or not, the server then shows. */
export function VerifyDomain({
  mode,
  id,
  again = false,
}: {
  mode: ApiMode;
  id: string;
  /** The domain is verified: only the delegation is looked at. */
  again?: boolean;
}) {
  const router = useRouter();
  const { pending, failure, run } = useConsoleAction(mode);
  const show = () => router.refresh();
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        variant={again ? "secondary" : "primary"}
        disabled={pending}
        onClick={() => run("POST", `/domains/${id}/verify`, undefined, show, show)}
      >
        {pending ? "Looking…" : again ? "Look again" : "Verify now"}
      </Button>
      <p role="alert" className="text-danger text-sm">
        {failure?.message}
      </p>
    </div>
  );
}
