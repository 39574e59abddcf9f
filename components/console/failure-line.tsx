import type { ConsoleFailure } from "./ask-console.ts";

/** Why a change did not happen; read aloud when it appears. */
export function FailureLine({ failure }: { failure: ConsoleFailure | null }) {
  return (
    <p role="alert" className="text-danger text-sm empty:absolute">
      {failure?.message}
    </p>
  );
}
