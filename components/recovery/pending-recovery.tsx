"use client";

import { cancelRecovery } from "@svc/login/recovery";
import { ChangeButton } from "#components/approval/approval-provider.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { Notice } from "#components/ui/notice.tsx";

/** A recovery that waits: on every page of the signed-in user, with the one button that stops it. */
export function PendingRecovery(props: {
  /** ISO 8601. */
  takesEffectAt: string;
  /** ISO 8601. */
  openedAt: string;
  /** The browser that recovers, in words. */
  browser: string;
  /** The fingerprint of the new key, or the new address. */
  credential: string;
}) {
  const { takesEffectAt, openedAt, browser, credential } = props;
  return (
    <section aria-labelledby="pending-recovery" className="mx-auto w-full max-w-5xl px-4 pt-8 sm:px-6">
      <Notice tone="danger">
        <h2 id="pending-recovery" className="font-semibold">
          Your account is being recovered with one of your codes
        </h2>
        <p>
          It was started on <LocalTime iso={openedAt} />, in {browser}. It takes effect on{" "}
          <LocalTime iso={takesEffectAt} />: then{" "}
          <span className="wrap-anywhere font-mono">{credential}</span> signs in, and every other browser is
          signed out.
        </p>
        <p className="mt-2 mb-3">
          If this is not you, cancel it and make new codes: somebody has one of yours.
        </p>
        <ChangeButton ask={cancelRecovery} busy="Cancelling…" variant="danger">
          Cancel the recovery
        </ChangeButton>
      </Notice>
    </section>
  );
}
