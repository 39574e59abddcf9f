"use client";

import { type AccountRecovery, removeWaysBefore } from "@svc/login/recovery";
import { ChangeButton } from "@/components/approval/approval-provider.tsx";
import { ButtonLink, Card, CardHeader, Notice } from "@/components/ui.tsx";

/** How the signed-in user would get back in without their wallet, and what is left to do about it. */
export function RecoveryState({ waysIn, waysBefore, codes, recoveredAt }: AccountRecovery) {
  const ways = waysIn === 1 ? "1 way in" : `${waysIn} ways in`;
  const kept = codes.active === 0 ? "no codes" : codes.active === 1 ? "1 code" : `${codes.active} codes`;
  return (
    <Card aria-labelledby="recovery">
      <CardHeader title="If you lose your wallet" id="recovery">
        {ways}, {kept}.
      </CardHeader>
      {waysBefore > 0 && (
        <Notice tone="warning" className="mb-4">
          <p className="mb-3">
            This account was recovered. What opened it before still does: if that wallet was stolen, or might
            be found, remove it.
          </p>
          <ChangeButton ask={removeWaysBefore} busy="Removing…" variant="danger">
            Remove what was there before
          </ChangeButton>
        </Notice>
      )}
      {codes.active === 0 && waysIn === 1 && (
        <p className="mb-4">
          Without that wallet there is no way back into your account, until you make codes.
        </p>
      )}
      {recoveredAt !== null && <p className="mb-4">The code that you used is over: make new ones.</p>}
      <ButtonLink
        href="/dashboard/recovery"
        variant={codes.active === 0 || recoveredAt ? "primary" : "secondary"}
      >
        {codes.active === 0 ? "Make recovery codes" : "Recovery codes"}
      </ButtonLink>
    </Card>
  );
}
