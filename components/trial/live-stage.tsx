"use client";

import { shownCode, siteSource, useLogin } from "@svc/login/client";
import { useRouter } from "next/navigation";
import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from "react";
import { LoginPanel } from "#components/login/login-panel.tsx";
import { BrowserFrame, STAGE } from "#components/site/login-scene.tsx";
import { WhatTheSiteGets } from "#components/site/what-is-signed.tsx";
import { LoginReceipt } from "./login-receipt.tsx";
import { SIGNED_IN, type Trial } from "./try-out.tsx";
import type { TrialReceipt } from "./use-trial-request.ts";

// Made once: a source has to be the same object at every render. One request signs in.
const SOURCE = siteSource("register", { direct: true });

/** The browser and the phone while somebody tries, and what is left when they are signed in. */
export function LiveStage({
  domain,
  address,
  userId,
  trial,
  onStep,
  onDecline,
}: {
  domain: string;
  address: string;
  userId: number | null;
  trial: Trial;
  /** Told how many steps are done. */
  onStep: Dispatch<SetStateAction<number>>;
  onDecline: () => void;
}) {
  const router = useRouter();
  const [receipt, setReceipt] = useState<TrialReceipt | null>(null);
  const [isOver, setOver] = useState(false);
  const [isUndone, setUndone] = useState(false);
  const finish = useCallback(() => {
    setOver(true);
    // The head of the page says who is signed in.
    router.refresh();
  }, [router]);
  const { state, resume, restart } = useLogin(SOURCE, null, finish);
  const signedInAt = useRef<number>(null);
  const { phase } = state;
  useEffect(() => {
    if (phase !== "signed-in") return;
    signedInAt.current ??= performance.now();
    onStep((done) => Math.max(done, 3));
  }, [phase, onStep]);
  const answered = useCallback(
    (answer: TrialReceipt) => {
      setReceipt(answer);
      onStep((done) => Math.max(done, 2));
    },
    [onStep],
  );
  return (
    <div className={STAGE}>
      <BrowserFrame address={address} className="md:*:last:pr-12">
        {isOver && receipt && signedInAt.current !== null ? (
          <LoginReceipt signedInAt={signedInAt.current} {...{ receipt, domain, userId, isUndone }} />
        ) : (
          <LoginPanel
            isBare
            action="register"
            domain={domain}
            state={state}
            ways={null}
            registerHref={null}
            onResume={resume}
            onRestart={restart}
          >
            <WhatTheSiteGets domain={domain} className="border-t pt-4 max-sm:hidden sm:grid-cols-2" />
          </LoginPanel>
        )}
      </BrowserFrame>
      <trial.Wallet
        wallet={trial.wallet}
        qr={shownCode(state)}
        page="left"
        outcome={phase === "signed-in" ? SIGNED_IN : null}
        onDecline={onDecline}
        onAnswered={answered}
        onUndone={() => {
          setUndone(true);
          router.refresh();
        }}
      />
    </div>
  );
}
