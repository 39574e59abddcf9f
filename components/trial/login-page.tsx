"use client";

import { type LoginSource, shownCode, siteSource, useLogin } from "@svc/login/client";
import type { Action } from "@svc/login/protocol";
import type { ComponentProps } from "react";
import { withCodeHandover } from "#components/wallet/code-handover.ts";
import { LoginPanel, type LoginProps } from "#packages/react/login/login-panel.tsx";
import { LoginScreen } from "#packages/react/login/login-screen.tsx";
import { CodeActions } from "#packages/react/login/qr-code.tsx";
import { SIGNED_IN_MESSAGE, TryOut, useTrial } from "./try-out.tsx";

// Created only once, because a login source must be the same object in every render. Signs in with one request.
const DIRECT = { direct: true };
const SOURCES = {
  login: withCodeHandover(siteSource("login", DIRECT)),
  register: withCodeHandover(siteSource("register", DIRECT)),
};

export type LoginPageProps = Omit<LoginProps, "tryOut"> & {
  demoWallet: boolean;
  callbackUrl: string | null;
  action: Action;
  source: LoginSource;
  screen: Omit<ComponentProps<typeof LoginScreen>, "children">;
  /** The QR codes for a new wallet. Defaults to `action` and `source`; null if no QR code can create an account. */
  trial?: { action: Action; source: LoginSource } | null;
};

/** A temporary wallet has no account yet, so even this page gives it a QR code for registering. */
export function SiteLoginPage(props: Omit<LoginPageProps, "source" | "trial">) {
  const trial = { action: "register", source: SOURCES.register } as const;
  return <LoginPage {...props} source={SOURCES[props.action]} trial={trial} />;
}

export function LoginPage(props: LoginPageProps) {
  const trial = useTrial();
  const isTrial = trial.trial !== null;
  // A different React key starts a new login with a new QR code.
  return <OneLogin key={String(isTrial)} {...props} {...(isTrial ? props.trial : null)} trying={trial} />;
}

function OneLogin({
  action,
  source,
  domain,
  callbackUrl = null,
  registerHref,
  onAnswered = null,
  next,
  screen,
  demoWallet = false,
  trial,
  trying: { trial: wallet, declined, start, decline },
}: LoginPageProps & { trying: ReturnType<typeof useTrial> }) {
  const login = useLogin(source, callbackUrl, onAnswered);
  const qr = shownCode(login.state);
  const isSignedIn = login.state.phase === "signed-in";
  return (
    <LoginScreen
      {...screen}
      title={wallet && action === "register" ? "Create an account with a temporary wallet" : screen.title}
      other={wallet ? <wallet.PermanentWalletHint qr={qr} /> : screen.other}
      steps={
        wallet ? (
          <wallet.TrialWalletCard
            wallet={wallet.wallet}
            qr={qr}
            outcome={isSignedIn ? SIGNED_IN_MESSAGE : null}
            onDecline={decline}
            onUndone={() => {
              login.restart();
              onAnswered?.();
            }}
          />
        ) : (
          screen.steps
        )
      }
    >
      <LoginPanel
        action={action}
        domain={domain}
        login={login}
        ways={
          wallet ? null : (
            <CodeActions qr={qr} demoWallet={demoWallet} walletHref="/get-a-wallet">
              {demoWallet && trial !== null && (
                <TryOut focus={declined} isEarly={qr === null} onTry={start}>
                  Try it in this tab
                </TryOut>
              )}
            </CodeActions>
          )
        }
        registerHref={registerHref}
        next={next}
      >
        {wallet && (
          <wallet.DataSentToSite
            domain={domain}
            over={isSignedIn}
            withAddress={source.provider === "fast"}
            className="border-t pt-4 max-md:hidden min-[25rem]:grid-cols-2"
          />
        )}
      </LoginPanel>
    </LoginScreen>
  );
}
