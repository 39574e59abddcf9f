import type { Metadata } from "next";
import { headers } from "next/headers";
import { LoginScreen } from "#components/login/login-screen.tsx";
import { StepList } from "#components/login/step-list.tsx";
import { EnterCode } from "#components/recovery/enter-code.tsx";
import { RecoveryLogin } from "#components/recovery/recovery-login.tsx";
import { Container } from "#components/site/container.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { onRecovered } from "#lib/account/take-recovery-effect.ts";
import { now } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { loginCore } from "#lib/platform/login.ts";
import { finishRecovery } from "#lib/recovery/finish-recovery.ts";
import { recoveryOf, statusOf } from "#lib/recovery/open-recovery.ts";
import type { Recovery } from "#lib/recovery/store/recovery.ts";
import { credentialName } from "../dashboard/credential-name.ts";

export const metadata: Metadata = { title: "Recover your account" };

/** Where somebody who has lost their wallet gets back in: a code, a new wallet, and where that stands. */
export default async function RecoverPage({ searchParams }: PageProps<"/recover">) {
  const recovery = await readRecovery();
  const kind = (await searchParams).kind === "address" && env().FAST_AUTO_REGISTER ? "address" : "public_key";
  switch (recovery && statusOf(recovery, now())) {
    case "open":
      return recovery && <BindKey recovery={recovery} kind={kind} />;
    case "pending":
      return recovery && <Pending recovery={recovery} />;
    case "finished":
      return <Finished />;
    default:
      return <Begin problem={problemOf(recovery)} />;
  }
}

/** The recovery of this browser. One that is due takes effect now, not at the job's next turn. */
async function readRecovery(): Promise<Recovery | null> {
  const core = loginCore();
  const sent = await headers();
  const recovery = await recoveryOf(core, sent);
  if (!recovery || statusOf(recovery, now()) !== "pending" || (recovery.takesEffectAt ?? now()) > now())
    return recovery;
  await finishRecovery(core, recovery.id, onRecovered);
  return recoveryOf(core, sent);
}

function problemOf(recovery: Recovery | null): string | null {
  if (recovery === null) return null;
  return statusOf(recovery, now()) === "cancelled"
    ? "The recovery was cancelled from a browser that is signed in to the account, or by new codes. If that was not you, sign in with a wallet that you still have, or use your other code."
    : "The fifteen minutes to choose a new wallet are over. Your code was not used up: enter it again.";
}

function Begin({ problem }: { problem: string | null }) {
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
          nobody can open your account, not even we.
        </>
      }
    >
      <Card aria-label="Enter a recovery code">
        <EnterCode />
      </Card>
    </LoginScreen>
  );
}

function BindKey({ recovery, kind }: { recovery: Recovery; kind: "public_key" | "address" }) {
  const { DOMAIN, DEMO_WALLET, FAST_AUTO_REGISTER } = env();
  const { userId, accountSince, expiresAt } = recovery;
  const address = kind === "address";
  return (
    <LoginScreen
      title={address ? "Choose your new address" : "Choose your new wallet"}
      lead={`You are recovering user ${userId}. Your code is right, and is not used up yet.`}
      steps={
        <>
          <p className="text-muted-foreground text-sm">
            The account exists since <LocalTime iso={accountSince.toISOString()} />. You have until{" "}
            <LocalTime iso={expiresAt.toISOString()} />. If this is not your account, close this page.
          </p>
          <StepList
            steps={[
              `Answer the code with ${address ? "the address" : "the wallet"} that is to open your account. It must be new here.`,
              "Come back to this page: it shows what answered. Compare it with what your wallet shows.",
              "Confirm, and it is yours. Whoever else saw the code gets nothing without you.",
            ]}
          />
        </>
      }
      other={
        address ? (
          <TextLink href="/recover">Use a wallet’s key instead</TextLink>
        ) : (
          FAST_AUTO_REGISTER && (
            <TextLink href="/recover?kind=address">Use a Bitcoin address instead</TextLink>
          )
        )
      }
    >
      <RecoveryLogin
        kind={kind}
        domain={DOMAIN}
        demoWallet={DEMO_WALLET}
        leftMs={expiresAt.getTime() - now().getTime()}
      />
    </LoginScreen>
  );
}

function Pending({ recovery: { credential, takesEffectAt, userId } }: { recovery: Recovery }) {
  return (
    <Container className="max-w-xl">
      <Card className="grid gap-5">
        <h1 className="font-semibold text-title">Your recovery waits</h1>
        <p>
          It takes effect <LocalTime iso={(takesEffectAt ?? now()).toISOString()} />. Then you sign in to the
          account of user {userId} with your new wallet:
        </p>
        <p className="wrap-anywhere rounded-base border bg-muted p-4 text-center font-mono">
          {credentialName(credential ?? "")}
        </p>
        <p className="text-muted-foreground text-sm">
          Until then every browser that is signed in to the account shows it, and can cancel it: so nobody who
          found a code takes an account over unseen. You can close this page, and come back to it in this
          browser. Keep your new wallet.
        </p>
      </Card>
    </Container>
  );
}

function Finished() {
  return (
    <Container className="max-w-xl">
      <Card className="grid gap-5">
        <h1 className="font-semibold text-title">Your account is recovered</h1>
        <p>Sign in with your new wallet. Then make new recovery codes: the one that you used is over.</p>
        <ButtonLink variant="primary" href="/login">
          Sign in
        </ButtonLink>
      </Card>
    </Container>
  );
}
