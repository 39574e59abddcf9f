"use client";

import { ButtonLink } from "#components/ui/button.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ChangeButton } from "./change-button.tsx";
import { cancelRecovery, dismissBackupQuestion, revokeApiKeys } from "./request-recovery.ts";

/** What the dashboard says about recovery, above everything else. */

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
          It was begun <LocalTime iso={openedAt} />, in {browser}. It takes effect{" "}
          <LocalTime iso={takesEffectAt} />: then{" "}
          <span className="wrap-anywhere font-mono">{credential}</span> signs in, and every other browser is
          signed out.
        </p>
        <p className="mt-2 mb-3">
          If it is not you, cancel it, and make new codes: somebody has one of yours.
        </p>
        <ChangeButton ask={cancelRecovery} busy="Cancelling…" variant="danger">
          Cancel the recovery
        </ChangeButton>
      </Notice>
    </section>
  );
}

/** What is left to do after a recovery. Stays until new codes are made. */
export function AfterRecovery({
  recoveredAt,
  apiKeys,
  waysBefore,
}: {
  /** ISO 8601. */
  recoveredAt: string;
  /** API keys that outlived it. */
  apiKeys: number;
  /** Ways in from before it. */
  waysBefore: number;
}) {
  return (
    <section aria-labelledby="recovered">
      <Notice tone="warning">
        <h2 id="recovered" className="font-semibold">
          You recovered this account
        </h2>
        <p>
          That was <LocalTime iso={recoveredAt} />. The code is used up, and every other browser is signed
          out.
        </p>
        {waysBefore > 0 && (
          <p className="mt-2">
            {waysBefore === 1 ? "The way in from before still works" : "The ways in from before still work"}.
            If your wallet was stolen, or might be found, remove {waysBefore === 1 ? "it" : "them"} below now.
          </p>
        )}
        <div className="mt-3 flex flex-wrap gap-3">
          <ButtonLink variant="primary" size="small" href="/dashboard/recovery">
            Make new recovery codes
          </ButtonLink>
          {apiKeys > 0 && (
            <ChangeButton ask={revokeApiKeys} busy="Revoking…" variant="danger">
              {apiKeys === 1 ? "Revoke your API key" : `Revoke your ${apiKeys} API keys`}
            </ChangeButton>
          )}
        </div>
      </Notice>
    </section>
  );
}

/** Asked once, after the second sign-in with a single way in: how the account would survive the loss of it. */
export function BackupQuestion() {
  return (
    <section aria-labelledby="backup">
      <Notice>
        <h2 id="backup" className="font-semibold">
          What if you lose your wallet?
        </h2>
        <p className="mb-3">
          It is the only way into your account. A second one takes a minute: choose what suits you.
        </p>
        <div className="flex flex-wrap gap-3">
          <ButtonLink size="small" href="/dashboard/recovery">
            Make recovery codes
          </ButtonLink>
          <ButtonLink size="small" href="/dashboard/add?kind=wallet">
            Add another wallet
          </ButtonLink>
          <ButtonLink size="small" href="/dashboard/add?kind=address">
            Add an address
          </ButtonLink>
          <ChangeButton ask={dismissBackupQuestion} busy="One moment…" variant="quiet">
            Not now
          </ChangeButton>
        </div>
      </Notice>
    </section>
  );
}
