"use client";

import { cancelRecovery, type PendingRecoveryInfo } from "@svc/login/recovery";
import { ChangeButton } from "../approval/approval-provider.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Notice } from "../ui/elements.tsx";
import { LocalTime } from "../ui/time.tsx";

/** Shown above the account's pages, with a button that stops the recovery. */
export function PendingRecovery({ takesEffectAt, openedAt, browser, credential }: PendingRecoveryInfo) {
  const { controls, recovery } = useTexts();
  const shownCredential = <span className="svc-mono">{credential}</span>;
  return (
    <section aria-labelledby="pending-recovery" className="svc-container svc-above-page">
      <Notice tone="danger">
        <h2 id="pending-recovery" className="svc-heading">
          {recovery.pending}
        </h2>
        <p className="svc-paragraph">
          {recovery.pendingText(
            <LocalTime iso={openedAt} />,
            controls.browser(browser),
            <LocalTime iso={takesEffectAt} />,
            shownCredential,
          )}
        </p>
        <p className="svc-paragraph svc-spaced">{recovery.pendingWarning}</p>
        <ChangeButton ask={cancelRecovery} busyLabel={recovery.cancelling} variant="danger">
          {recovery.cancel}
        </ChangeButton>
      </Notice>
    </section>
  );
}
