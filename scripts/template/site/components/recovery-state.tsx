"use client";

import { type AccountRecovery, removeWaysBefore } from "@svc/login/recovery";
import { ChangeButton } from "@/components/approval/approval-provider.tsx";
import { ButtonLink, Notice, Section } from "@/components/ui.tsx";
import { useWords } from "@/components/words/words.tsx";

/** How the signed-in user can get back in without their wallet, and what they still have to set up. */
export function RecoveryState({ signInMethods, waysBefore, codes, recoveredAt }: AccountRecovery) {
  const { lostWallet } = useWords();
  return (
    <Section id="recovery" title={lostWallet.title} text={lostWallet.summary(signInMethods, codes.active)}>
      {waysBefore > 0 && (
        <Notice tone="warning" className="mb-4">
          <p className="mb-3">{lostWallet.before}</p>
          <ChangeButton ask={removeWaysBefore} busy={lostWallet.removing} variant="danger">
            {lostWallet.removeBefore}
          </ChangeButton>
        </Notice>
      )}
      {codes.active === 0 && signInMethods === 1 && <p className="mb-4">{lostWallet.noWayBack}</p>}
      {recoveredAt !== null && <p className="mb-4">{lostWallet.used}</p>}
      <ButtonLink
        href="/dashboard/recovery"
        variant={codes.active === 0 || recoveredAt ? "primary" : "secondary"}
      >
        {codes.active === 0 ? lostWallet.make : lostWallet.codes}
      </ButtonLink>
    </Section>
  );
}
