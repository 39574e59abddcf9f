import { useState, useTransition } from "react";
import type { ApiMode } from "#lib/contracts/hosted/tenant.ts";
import { askConsole, type ConsoleFailure } from "./ask-console.ts";
import { useApproval } from "./use-approval.ts";

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
      if (answer.ok) onDone(answer.body);
      else {
        setFailure(answer);
        onFailed?.();
      }
    });
  return { pending, failure, run };
}
