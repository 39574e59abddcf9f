"use client";

import { cancelRecovery, type PendingItem } from "@svc/login/recovery";
import { ChangeButton } from "../approval/approval-provider.tsx";
import { Notice } from "../ui/elements.tsx";
import { LocalTime } from "../ui/time.tsx";
import { useWords } from "../words/words.tsx";

/** A pending recovery, shown above the pages of the account, with the button that stops it. */
export function PendingRecovery({ takesEffectAt, openedAt, browser, credential }: PendingItem) {
  const { controls, recovery } = useWords();
  const named = <span className="wrap-anywhere font-mono">{credential}</span>;
  return (
    <section aria-labelledby="pending-recovery" className="mx-auto w-full max-w-5xl px-4 pt-8 sm:px-6">
      <Notice tone="danger">
        <h2 id="pending-recovery" className="font-semibold">
          {recovery.pending}
        </h2>
        <p>
          {recovery.pendingText(
            <LocalTime iso={openedAt} />,
            controls.browser(browser),
            <LocalTime iso={takesEffectAt} />,
            named,
          )}
        </p>
        <p className="mt-2 mb-3">{recovery.pendingWarning}</p>
        <ChangeButton ask={cancelRecovery} busy={recovery.cancelling} variant="danger">
          {recovery.cancel}
        </ChangeButton>
      </Notice>
    </section>
  );
}
