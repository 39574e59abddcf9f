"use client";

import { useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import type { CaseState, CaseText, SayWord } from "#lib/conformance-runs/messages.ts";
import type { Run } from "./use-run.ts";

/** What the person can do about a case. */
export function CaseActions({
  text: { id, answers, asks },
  state,
  arrived,
  isShown,
  run,
  next,
}: {
  text: CaseText;
  state: CaseState;
  arrived: boolean;
  isShown: boolean;
  run: Run;
  next: () => void;
}) {
  const [pending, start] = useTransition();
  const show = () => start(() => run.show(id));
  const say = (word: SayWord["word"], goesOn: boolean) =>
    start(async () => {
      if ((await run.say({ case: id, word })) && goesOn) next();
    });
  const skip = (
    <Button variant="quiet" disabled={pending} onClick={() => say("skip", true)}>
      Skip this case
    </Button>
  );
  const row = "grid gap-3 sm:flex sm:flex-wrap print:hidden";
  if (state === "passed" || state === "failed" || state === "skipped") {
    return (
      <div className={row}>
        <Button variant="primary" onClick={next}>
          Next case
        </Button>
        {/* What was sent for a code that nobody may answer stays sent. */}
        {(answers || state !== "failed") && (
          <Button disabled={pending} onClick={show}>
            Try it again
          </Button>
        )}
      </div>
    );
  }
  if (state === "asked" && asks) {
    return (
      <div className={row}>
        <Button disabled={pending} onClick={() => say("good", false)}>
          {asks.good}
        </Button>
        <Button disabled={pending} onClick={() => say("bad", false)}>
          {asks.bad}
        </Button>
        {skip}
      </div>
    );
  }
  if (!isShown) {
    return (
      <div className={row}>
        <Button variant="primary" disabled={pending} onClick={show}>
          Show the code
        </Button>
        {skip}
      </div>
    );
  }
  return (
    <div className={row}>
      {answers ? (
        !arrived && (
          <Button disabled={pending} onClick={() => say("bad", false)}>
            My wallet does nothing
          </Button>
        )
      ) : (
        <Button variant="primary" disabled={pending} onClick={() => say("good", true)}>
          My wallet refused it
        </Button>
      )}
      <Button disabled={pending} onClick={show}>
        Show a new code
      </Button>
      {skip}
    </div>
  );
}
