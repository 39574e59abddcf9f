"use client";

import { dismissBackupQuestion, revokeApiKeys } from "#components/account/change-account.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { ChangeButton } from "./change-button.tsx";

/** What the dashboard says about recovery, above everything else. */

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
