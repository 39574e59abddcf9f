"use client";

import { type ComponentProps, type ComponentType, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import type { TrialWallet } from "#lib/wallet/trial-wallet.ts";
import type { TrialWalletCard } from "./trial-wallet-card.tsx";

/** A wallet, and what shows it. */
export type Trial = { wallet: TrialWallet; Wallet: ComponentType<ComponentProps<typeof TrialWalletCard>> };

/** The way in for people without a wallet. Its code is loaded on demand: a login page is small. */
export function TryOut({
  focus,
  onTry,
}: {
  /** True where the wallet was sent away again. */
  focus: boolean;
  onTry: (trial: Trial) => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [step, setStep] = useState<"idle" | "making" | "failed">("idle");
  useEffect(() => {
    if (focus) button.current?.focus();
  }, [focus]);

  const make = async () => {
    if (step === "making") return;
    setStep("making");
    try {
      const { openTrialWallet, TrialWalletCard } = await import("./trial-wallet-card.tsx");
      onTry({ wallet: openTrialWallet(), Wallet: TrialWalletCard });
    } catch {
      setStep("failed");
    }
  };
  return (
    <>
      <Button ref={button} variant="primary" aria-disabled={step === "making"} onClick={make}>
        {step === "making" ? "Making a wallet…" : "Try it without a phone"}
      </Button>
      {step === "failed" && (
        <p role="alert" className="text-danger text-sm">
          The wallet could not be loaded. Check your connection and try again.
        </p>
      )}
    </>
  );
}
