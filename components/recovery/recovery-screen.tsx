"use client";

import { type LoginSource, redeemLogin } from "@svc/login/client";
import { RECOVERY_PATH, type RecoveryView, siteRecoveringSource } from "@svc/login/recovery";
import { useEffect } from "react";
import { KeyName } from "#components/login/key-name.tsx";
import { Login, type LoginProps } from "#components/login/login-panel.tsx";
import { LoginScreen, StepList } from "#components/login/login-screen.tsx";
import { Container } from "#components/site/container.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { ConfirmChoice } from "#components/ui/confirm-choice.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { EnterCode } from "./enter-code.tsx";

type View<Status> = Extract<RecoveryView<number | string>, { status: Status }>;

type RecoveryScreenProps = {
  recovery: RecoveryView<number | string>;
  domain: string;
  /** Shown instead of the site's own code, where an account can be recovered in other ways too. */
  code?: { what: "wallet" | "address"; panel: React.ReactNode; other: React.ReactNode };
};

const PROBLEMS: Partial<Record<RecoveryView["status"], string>> = {
  cancelled:
    "The recovery was cancelled from a browser that is signed in to the account, or by new codes. If that was not you, sign in with a wallet that you still have, or use your other code.",
  expired: "The fifteen minutes to choose a new wallet are over. Your code was not used up: enter it again.",
};

/** Where somebody who has lost their wallet gets back in: a code, a new wallet, its confirmation, and the wait. */
export function RecoveryScreen({ recovery, domain, code }: RecoveryScreenProps) {
  switch (recovery.status) {
    case "open":
      return <BindKey recovery={recovery} domain={domain} code={code} />;
    case "answered":
      return <Confirm {...recovery} />;
    case "unanswered":
      return <NothingToConfirm />;
    case "pending":
      return <Pending {...recovery} />;
    case "finished":
      return <Finished />;
    default:
      return <Begin problem={PROBLEMS[recovery.status]} />;
  }
}

function Begin({ problem }: { problem: string | undefined }) {
  return (
    <LoginScreen
      title="Recover your account"
      lead="You lost your wallet, and have one of your recovery codes."
      notice={
        problem && (
          <Notice tone="warning" className="mb-8">
            {problem}
          </Notice>
        )
      }
      steps={
        <StepList
          steps={[
            "Enter one of your recovery codes. It is used up only when your new wallet is confirmed.",
            "Scan the code that follows with your new wallet, and compare what it shows.",
            "Confirm. Your new wallet signs in, and every other browser is signed out.",
          ]}
        />
      }
      other={
        <>
          Still have a wallet? <TextLink href="/login">Sign in</TextLink>. Without a code and without a wallet
          nobody can open your account, not even us.
        </>
      }
    >
      <Card aria-label="Enter a recovery code">
        <EnterCode />
      </Card>
    </LoginScreen>
  );
}

function BindKey({ recovery, domain, code }: RecoveryScreenProps & { recovery: View<"open"> }) {
  const { userId, accountSince, expiresAt, leftMs } = recovery;
  const { what = "wallet", panel, other } = code ?? {};
  return (
    <LoginScreen
      title={`Choose your new ${what}`}
      lead={`You are recovering user ${userId}. Your recovery code is right, and is not used up yet.`}
      steps={
        <>
          <p className="text-muted-foreground text-sm">
            The account was made on <LocalTime iso={accountSince} />. You have until{" "}
            <LocalTime iso={expiresAt} />. If this is not your account, close this page.
          </p>
          <StepList
            steps={[
              `Scan the QR code with the ${what} that will open your account. This site must not know it yet.`,
              "Come back to this page: it shows what answered. Compare it with what your wallet shows.",
              "Confirm, and the account is yours again. Others who saw the QR code get nothing.",
            ]}
          />
        </>
      }
      other={
        other || (
          <>
            Still have a wallet? <TextLink href="/login">Sign in</TextLink>.
          </>
        )
      }
    >
      {panel ?? <RecoveryLogin domain={domain} leftMs={leftMs} />}
    </LoginScreen>
  );
}

function Confirm({ userId, sid, flow, credential, waits }: View<"answered">) {
  const isAddress = flow === "fast";
  return (
    <RecoveryCard title={`Is this your new ${isAddress ? "address" : "wallet"}?`}>
      <p>
        It answered the code. Once confirmed, it opens the account of user {userId}
        {waits
          ? ", after a time in which signed-in browsers can cancel it"
          : ", and every other browser is signed out"}
        .
      </p>
      <KeyName name={credential} />
      <p className="text-muted-foreground text-sm">
        Your wallet shows the same{isAddress ? "" : " words and digits"}. If anything differs, it is not
        yours. Your code is used up {waits ? "when it takes effect" : "by this"}.
      </p>
      <ConfirmRecovery sid={sid} provider={isAddress ? "fast" : "svc"} />
    </RecoveryCard>
  );
}

function NothingToConfirm() {
  return (
    <RecoveryCard title="There is nothing to confirm">
      <p>The QR code was not answered, was used, or has expired. Your recovery code was not used up.</p>
      <ButtonLink variant="primary" href="/recover">
        Show a new code
      </ButtonLink>
    </RecoveryCard>
  );
}

function Pending({ userId, credential, takesEffectAt }: View<"pending">) {
  return (
    <RecoveryCard title="Your recovery waits">
      <p>
        It takes effect <LocalTime iso={takesEffectAt} />. Then you sign in to the account of user {userId}{" "}
        with your new wallet:
      </p>
      <KeyName name={credential} />
      <p className="text-muted-foreground text-sm">
        Until then every browser that is signed in to the account shows it, and can cancel it, so nobody who
        finds a code can take your account over unnoticed. You can close this page, and come back to it in
        this browser. Keep your new wallet.
      </p>
    </RecoveryCard>
  );
}

function Finished() {
  return (
    <RecoveryCard title="Your account is recovered">
      <p>Sign in with your new wallet. Then make new recovery codes: the one that you used is over.</p>
      <ButtonLink variant="primary" href="/login">
        Sign in
      </ButtonLink>
    </RecoveryCard>
  );
}

function RecoveryCard({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Container className="max-w-xl">
      <Card className="grid gap-5">
        <h1 className="font-semibold text-title">{title}</h1>
        {children}
      </Card>
    </Container>
  );
}

// Made once: a source has to be the same object at every render.
const SOURCE = siteRecoveringSource();

/** The code whose answer becomes the account's new key, while the permission lasts. */
export function RecoveryLogin({
  leftMs,
  source = SOURCE,
  ...props
}: LoginProps & {
  /** How long the permission lasts. */
  leftMs: number;
  source?: LoginSource;
}) {
  useEffect(() => {
    const timer = setTimeout(() => window.location.reload(), leftMs + 1_000);
    return () => clearTimeout(timer);
  }, [leftMs]);
  return <Login {...props} action="recover" source={source} />;
}

/** The user's word on what answered the code. What follows, the server says: signed in, or a recovery that waits. */
function ConfirmRecovery({ sid, provider }: { sid: string; provider: "svc" | "fast" }) {
  const confirm = async () => {
    const redeemed = await redeemLogin({ provider, direct: provider === "svc" }, sid);
    if (redeemed === "unreachable") return "We cannot reach the site. Try again.";
    window.location.assign(redeemed === "signed-in" ? "/dashboard" : RECOVERY_PATH);
    return null;
  };
  return (
    <ConfirmChoice declineHref={RECOVERY_PATH} busy="Recovering…" confirm={confirm}>
      It is mine
    </ConfirmChoice>
  );
}
