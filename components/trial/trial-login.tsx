"use client";

import { type ComponentProps, type ComponentType, useEffect, useRef, useState } from "react";
import { LoginPanel } from "#components/login/login-panel.tsx";
import { LoginScreen } from "#components/login/login-screen.tsx";
import { CodeActions } from "#components/login/qr-code.tsx";
import { WhatTheSiteGets } from "#components/site/what-is-signed.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { handingOver } from "#components/wallet/code-handover.ts";
import { siteSource } from "#lib/login/client/login-source.ts";
import { shownCode } from "#lib/login/client/login-state.ts";
import { useLogin } from "#lib/login/client/use-login.ts";
import type { TrialWallet } from "#lib/wallet/trial-wallet.ts";
import type { TrialWalletCard } from "./trial-wallet-card.tsx";

// Made once: a source has to be the same object at every render. One request signs in.
const DIRECT = { direct: true };
const SOURCES = {
  login: handingOver(siteSource("login", DIRECT)),
  register: handingOver(siteSource("register", DIRECT)),
};

type TrialLoginProps = {
  action: "login" | "register";
  domain: string;
  callbackUrl: string | null;
  registerHref?: string | null;
  screen: Omit<ComponentProps<typeof LoginScreen>, "children">;
};

/**
 * A login page that needs no phone: it makes a wallet for trying out, beside the code. That wallet is new, so it has
 * no account to sign in to: whichever page it was made on, it answers a register code.
 */
export function TrialLogin(props: TrialLoginProps) {
  const [trial, setTrial] = useState<Trial | null>(null);
  const [declined, setDeclined] = useState(false);

  const wallet = trial?.wallet;
  useEffect(() => {
    if (!wallet) return;
    // A browser may keep a page that was left: the wallet is not kept with it.
    const leave = () => {
      wallet.forget();
      setTrial(null);
    };
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, [wallet]);

  const decline = () => {
    wallet?.forget();
    setTrial(null);
    setDeclined(true);
  };
  return (
    <OneLogin
      // Another login, from its first code on.
      key={trial ? "trial" : "own"}
      {...props}
      trial={trial}
      declined={declined}
      onTry={setTrial}
      onDecline={decline}
    />
  );
}

function OneLogin({
  action,
  domain,
  callbackUrl,
  registerHref = null,
  screen,
  trial,
  declined,
  onTry,
  onDecline,
}: TrialLoginProps & {
  trial: Trial | null;
  declined: boolean;
  onTry: (trial: Trial) => void;
  onDecline: () => void;
}) {
  const asked = trial ? "register" : action;
  const { state, resume, restart } = useLogin(SOURCES[asked], callbackUrl);
  const qr = shownCode(state);
  return (
    <LoginScreen
      {...screen}
      other={trial ? <LastingWallet qr={qr} /> : screen.other}
      steps={trial ? <trial.Wallet wallet={trial.wallet} qr={qr} onDecline={onDecline} /> : screen.steps}
    >
      <LoginPanel
        action={asked}
        domain={domain}
        state={state}
        ways={
          trial ? null : (
            <CodeActions qr={qr} demoWallet>
              <TryOut focus={declined} onTry={onTry} />
            </CodeActions>
          )
        }
        registerHref={registerHref}
        onResume={resume}
        onRestart={restart}
      >
        {trial && <WhatTheSiteGets domain={domain} className="border-t pt-4 min-[25rem]:grid-cols-2" />}
      </LoginPanel>
    </LoginScreen>
  );
}

function LastingWallet({ qr }: { qr: string | null }) {
  return (
    <>
      For an account that lasts, use a wallet that lasts:{" "}
      <TextLink
        href={qr === null ? "/wallet" : `/wallet#${encodeURIComponent(qr)}`}
        target="_blank"
        rel="noreferrer"
      >
        set up the demo wallet<span className="sr-only"> (opens a new tab)</span>
      </TextLink>
    </>
  );
}

/** A wallet, and what shows it. */
export type Trial = { wallet: TrialWallet; Wallet: ComponentType<ComponentProps<typeof TrialWalletCard>> };

/** The way in for people without a wallet. Its code is loaded on demand: a login page is small. */
function TryOut({
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
