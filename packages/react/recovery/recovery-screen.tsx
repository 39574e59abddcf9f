"use client";

import { type LoginSource, redeemLogin } from "@svc/login/client";
import { RECOVERY_PATH, type RecoveryView, siteRecoveringSource } from "@svc/login/recovery";
import { useEffect } from "react";
import { ConfirmChoice, KeyName } from "../login/confirm-key.tsx";
import { Login, type LoginProps } from "../login/login-panel.tsx";
import { LoginScreen, StepList } from "../login/login-screen.tsx";
import { Card, CardPage, Notice, TextLink } from "../ui/elements.tsx";
import { LocalTime } from "../ui/time.tsx";
import { useWords } from "../words/words.tsx";
import { EnterCode } from "./enter-code.tsx";

type View<Status> = Extract<RecoveryView<number | string>, { status: Status }>;

type RecoveryScreenProps = {
  recovery: RecoveryView<number | string>;
  domain: string;
  /** Shown instead of the site's own code, if an account can be recovered in other ways too. */
  code?: { what: "wallet" | "address"; panel: React.ReactNode; other: React.ReactNode };
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
    case "blocked":
      return <Blocked {...recovery} />;
    case "pending":
      return <Pending {...recovery} />;
    case "finished":
      return <Finished />;
    default:
      return <Begin status={recovery.status} />;
  }
}

function Begin({ status }: { status: RecoveryView["status"] }) {
  const { recovery } = useWords();
  const problem = status === "cancelled" || status === "expired" ? recovery[status] : null;
  return (
    <LoginScreen
      title={recovery.title}
      lead={recovery.lead}
      needs={{ title: recovery.needsScript, why: recovery.whyScript }}
      notice={
        problem && (
          <Notice tone="warning" className="mb-8">
            {problem}
          </Notice>
        )
      }
      steps={<StepList steps={recovery.steps} />}
      other={
        <>
          {recovery.haveWallet(signInLink)} {recovery.noWayBack}
        </>
      }
    >
      <Card aria-label={recovery.enter}>
        <EnterCode />
      </Card>
    </LoginScreen>
  );
}

function BindKey({ recovery, domain, code }: RecoveryScreenProps & { recovery: View<"open"> }) {
  const { userId, accountSince, expiresAt, leftMs } = recovery;
  const { what = "wallet", panel, other } = code ?? {};
  const words = useWords().recovery;
  return (
    <LoginScreen
      title={words.choose[what]}
      lead={words.chooseLead(userId)}
      steps={
        <>
          <p className="text-muted-foreground text-sm">
            {words.account(<LocalTime iso={accountSince} />, <LocalTime iso={expiresAt} />)}
          </p>
          <StepList steps={[words.scanNew[what], words.comeBack, words.confirm]} />
        </>
      }
      other={other || words.haveWallet(signInLink)}
    >
      {panel ?? <RecoveryLogin domain={domain} leftMs={leftMs} />}
    </LoginScreen>
  );
}

function Confirm({ userId, sid, flow, credential, waits }: View<"answered">) {
  const { recovery } = useWords();
  const what = flow === "fast" ? "address" : "wallet";
  return (
    <CardPage title={recovery.isYours[what]}>
      <p>{recovery.answered(userId, waits)}</p>
      <KeyName name={credential} />
      <p className="text-muted-foreground text-sm">
        {recovery.showsTheSame[what]} {recovery.usedUp(waits)}
      </p>
      <ConfirmRecovery sid={sid} provider={flow === "fast" ? "fast" : "svc"} />
    </CardPage>
  );
}

function NothingToConfirm() {
  const { recovery, panel } = useWords();
  return (
    <CardPage title={recovery.nothing} next={{ href: "/recover", label: panel.newCode }}>
      <p>{recovery.nothingText}</p>
    </CardPage>
  );
}

function Blocked({ takesEffectAt }: View<"blocked">) {
  const { recovery } = useWords();
  return (
    <CardPage title={recovery.blocked} next={{ href: RECOVERY_PATH, label: recovery.lookAgain }}>
      <p>{recovery.blockedText(<LocalTime iso={takesEffectAt} />)}</p>
      <p className="text-muted-foreground text-sm">{recovery.blockedWhy}</p>
    </CardPage>
  );
}

function Pending({ userId, credential, takesEffectAt }: View<"pending">) {
  const { recovery } = useWords();
  return (
    <CardPage title={recovery.waits}>
      <p>{recovery.waitsText(<LocalTime iso={takesEffectAt} />, userId)}</p>
      <KeyName name={credential} />
      <p className="text-muted-foreground text-sm">{recovery.waitsWhy}</p>
    </CardPage>
  );
}

function Finished() {
  const { recovery } = useWords();
  return (
    <CardPage title={recovery.finished} next={{ href: "/login", label: recovery.signIn }}>
      <p>{recovery.finishedText}</p>
    </CardPage>
  );
}

const signInLink = (text: string) => <TextLink href="/login">{text}</TextLink>;

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

/** Asks the user to confirm what answered the code. The server then says whether they are signed in or must wait. */
function ConfirmRecovery({ sid, provider }: { sid: string; provider: "svc" | "fast" }) {
  const words = useWords();
  const confirm = async () => {
    const redeemed = await redeemLogin({ provider, direct: provider === "svc" }, sid);
    if (redeemed === "unreachable") return words.unreachable;
    window.location.assign(redeemed === "signed-in" ? "/dashboard" : RECOVERY_PATH);
    return null;
  };
  return (
    <ConfirmChoice declineHref={RECOVERY_PATH} busy={words.recovery.recovering} confirm={confirm}>
      {words.recovery.itIsMine}
    </ConfirmChoice>
  );
}
