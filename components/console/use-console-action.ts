import { useState, useTransition } from "react";
import { useApproval } from "#components/approval/use-approval.ts";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { askConsole, type ConsoleFailure } from "./ask-console.ts";

/** A change that a page of the console asks for: whether it is under way, and why the last one failed. */
export function useConsoleAction(mode: ApiMode) {
  const [pending, start] = useTransition();
  const ask = useApproval();
  const [failure, setFailure] = useState<ConsoleFailure | null>(null);
  const run = (
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body: unknown,
    onDone: (answer: unknown) => void,
    onFailed?: () => void,
  ) =>
    start(async () => {
      setFailure(null);
      const answer = await ask(() => askConsole(mode, method, path, body));
      if (answer.done) onDone(answer.body);
      else {
        setFailure(answer);
        onFailed?.();
      }
    });
  return { pending, failure, run };
}
