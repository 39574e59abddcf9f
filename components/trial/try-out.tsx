"use client";

import type { TrialWallet } from "@svc/wallet/trial-wallet";
import { useEffect, useRef, useState } from "react";
import { Button } from "#packages/react/ui/button.tsx";

type TrialParts = typeof import("./trial-wallet-card.tsx");

export type Trial = { wallet: TrialWallet } & Omit<TrialParts, "createTrialWallet">;

export const SIGNED_IN_MESSAGE = "Approved. This browser is signed in.";

/** The wallet is lost when the page closes. Its code is loaded on demand, so that login pages stay small. */
export function useTrial() {
  const [trial, setTrial] = useState<Trial | null>(null);
  const [declined, setDeclined] = useState(false);
  const wallet = trial?.wallet;
  useEffect(() => {
    if (!wallet) return;
    // The browser might cache the page, but must not cache the wallet.
    const leave = () => {
      wallet.forget();
      setTrial(null);
    };
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, [wallet]);
  const start = async () => {
    const { createTrialWallet, ...parts } = await import("./trial-wallet-card.tsx");
    setTrial({ wallet: createTrialWallet(), ...parts });
  };
  const decline = () => {
    wallet?.forget();
    setTrial(null);
    setDeclined(true);
  };
  return { trial, declined, start, decline };
}

export function TryOut({
  focus,
  isEarly = false,
  onTry,
  children,
}: {
  /** True to move the focus here, after the wallet was closed. */
  focus: boolean;
  /** True until the page's first QR code arrives. That response sets the cookie to which the next QR code is bound. */
  isEarly?: boolean;
  onTry: () => Promise<void>;
  children: React.ReactNode;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [step, setStep] = useState<"idle" | "making" | "failed">("idle");
  useEffect(() => {
    if (focus) button.current?.focus();
  }, [focus]);

  const isIdle = isEarly || step === "making";
  const make = () => {
    if (isIdle) return;
    setStep("making");
    onTry().then(
      () => setStep("idle"),
      () => setStep("failed"),
    );
  };
  return (
    <>
      <Button ref={button} variant="primary" aria-disabled={isIdle} onClick={make}>
        {step === "making" ? "Creating a wallet…" : children}
      </Button>
      {step === "failed" && (
        <p role="alert" className="text-danger text-sm">
          The wallet could not be loaded. Check your connection and try again.
        </p>
      )}
    </>
  );
}
