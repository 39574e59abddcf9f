"use client";

import type { TrialWallet } from "@svc/wallet/trial-wallet";
import { useEffect, useRef, useState } from "react";
import { Button } from "#packages/react/ui/button.tsx";

type TrialParts = typeof import("./trial-wallet-card.tsx");

/** A wallet, and the components that are loaded with it. */
export type Trial = { wallet: TrialWallet } & Omit<TrialParts, "makeTrialWallet">;

/** The wallet's message once the page is signed in. */
export const SIGNED_IN_MESSAGE = "Approved. This browser is signed in.";

/**
 * A page's temporary wallet, which disappears with the page. Its code is loaded on demand, to keep login pages small.
 */
export function useTrial() {
  const [trial, setTrial] = useState<Trial | null>(null);
  const [declined, setDeclined] = useState(false);
  const wallet = trial?.wallet;
  useEffect(() => {
    if (!wallet) return;
    // A browser may cache a page that the user has left, but the wallet must not be cached with it.
    const leave = () => {
      wallet.forget();
      setTrial(null);
    };
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, [wallet]);
  const start = async () => {
    const { makeTrialWallet, ...parts } = await import("./trial-wallet-card.tsx");
    setTrial({ wallet: makeTrialWallet(), ...parts });
  };
  const decline = () => {
    wallet?.forget();
    setTrial(null);
    setDeclined(true);
  };
  return { trial, declined, start, decline };
}

/** The entry point for people without a phone app. */
export function TryOut({
  focus,
  isEarly = false,
  onTry,
  children,
}: {
  /** True if the wallet was closed. */
  focus: boolean;
  /** The page is still waiting for its first code, whose response sets the cookie that binds the next one. */
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
        {step === "making" ? "Making a wallet…" : children}
      </Button>
      {step === "failed" && (
        <p role="alert" className="text-danger text-sm">
          The wallet could not be loaded. Check your connection and try again.
        </p>
      )}
    </>
  );
}
