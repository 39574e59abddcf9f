"use client";

import { type AccountRecovery, removeOlderSignInMethods } from "@svc/login/recovery";
import { ChangeButton } from "../approval/approval-provider.tsx";
import { useTexts } from "../texts/texts.tsx";
import { ButtonLink } from "../ui/button-look.tsx";
import { Notice, Section } from "../ui/elements.tsx";

export function RecoverySummary({
  account: { signInMethods, waysBefore, codes, recoveredAt },
  codesHref,
  className,
}: {
  account: AccountRecovery;
  codesHref: string;
  className?: string;
}) {
  const { account, lostWallet } = useTexts();
  const isUrgent = codes.active === 0 || recoveredAt !== null;
  return (
    <Section
      id="recovery"
      title={lostWallet.title}
      text={lostWallet.summary(signInMethods, codes.active)}
      className={className}
    >
      <div className="svc-stack">
        {waysBefore > 0 && (
          <Notice tone="warning">
            <p className="svc-paragraph svc-spaced">{lostWallet.before}</p>
            <ChangeButton ask={removeOlderSignInMethods} busyLabel={account.removing} variant="danger">
              {lostWallet.removeBefore}
            </ChangeButton>
          </Notice>
        )}
        {codes.active === 0 && signInMethods === 1 && <p className="svc-paragraph">{lostWallet.noWayBack}</p>}
        {recoveredAt !== null && <p className="svc-paragraph">{lostWallet.used}</p>}
        <ButtonLink className="svc-start" href={codesHref} variant={isUrgent ? "primary" : "secondary"}>
          {codes.active === 0 ? lostWallet.make : lostWallet.codes}
        </ButtonLink>
      </div>
    </Section>
  );
}
