"use client";

import { type LoginSource, redeemLogin } from "@svc/login/client";
import { RECOVERY_PATH, type RecoveryView, recoverySource } from "@svc/login/recovery";
import { useEffect } from "react";
import { KeyConfirmation, KeyName } from "../login/confirm-key.tsx";
import { Login, type LoginProps } from "../login/login-panel.tsx";
import { LoginScreen, StepList } from "../login/login-screen.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Card, CardPage, Notice, TextLink } from "../ui/elements.tsx";
import { LocalTime } from "../ui/time.tsx";
import { EnterCode } from "./enter-code.tsx";

type View<Status> = Extract<RecoveryView<number | string>, { status: Status }>;

type RecoverAccountProps = {
  recovery: RecoveryView<number | string>;
  domain: string;
  /** Shown instead of the site's own code, on sites where an account can also be recovered with an address. */
  code?: { what: "wallet" | "address"; panel: React.ReactNode; other: React.ReactNode };
};

/** The steps: a recovery code, a new wallet, its confirmation, and the delay. */
export function RecoverAccount({ recovery, domain, code }: RecoverAccountProps) {
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
  const { recovery } = useTexts();
  const problem = status === "cancelled" || status === "expired" ? recovery[status] : null;
  return (
    <LoginScreen
      title={recovery.title}
      lead={recovery.lead}
      needs={{ title: recovery.needsScript, why: recovery.whyScript }}
      notice={
        problem && (
          <Notice tone="warning" className="svc-space-below">
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

function BindKey({ recovery, domain, code }: RecoverAccountProps & { recovery: View<"open"> }) {
  const { userId, accountSince, expiresAt, leftMs } = recovery;
  const { what = "wallet", panel, other } = code ?? {};
  const texts = useTexts().recovery;
  return (
    <LoginScreen
      title={texts.choose[what]}
      lead={texts.chooseLead(userId)}
      steps={
        <>
          <p className="svc-note">
            {texts.account(<LocalTime iso={accountSince} />, <LocalTime iso={expiresAt} />)}
          </p>
          <StepList steps={[texts.scanNew[what], texts.comeBack, texts.confirm]} />
        </>
      }
      other={other || texts.haveWallet(signInLink)}
    >
      {panel ?? <RecoveryLogin domain={domain} leftMs={leftMs} />}
    </LoginScreen>
  );
}

function Confirm({ userId, sid, flow, credential, waits }: View<"answered">) {
  const { recovery } = useTexts();
  const what = flow === "fast" ? "address" : "wallet";
  return (
    <CardPage title={recovery.isYours[what]}>
      <p className="svc-paragraph">{recovery.answered(userId, waits, what)}</p>
      <KeyName name={credential} />
      <p className="svc-note">
        {recovery.showsTheSame[what]} {recovery.usedUp(waits)}
      </p>
      <ConfirmRecovery sid={sid} provider={flow === "fast" ? "fast" : "svc"} />
    </CardPage>
  );
}

function NothingToConfirm() {
  const { recovery, panel } = useTexts();
  return (
    <CardPage title={recovery.nothing} next={{ href: "/recover", label: panel.newCode }}>
      <p className="svc-paragraph">{recovery.nothingText}</p>
    </CardPage>
  );
}

function Blocked({ takesEffectAt }: View<"blocked">) {
  const { recovery } = useTexts();
  return (
    <CardPage title={recovery.blocked} next={{ href: RECOVERY_PATH, label: recovery.lookAgain }}>
      <p className="svc-paragraph">{recovery.blockedText(<LocalTime iso={takesEffectAt} />)}</p>
      <p className="svc-note">{recovery.blockedWhy}</p>
    </CardPage>
  );
}

function Pending({ userId, credential, takesEffectAt }: View<"pending">) {
  const { recovery } = useTexts();
  return (
    <CardPage title={recovery.waits}>
      <p className="svc-paragraph">{recovery.waitsText(<LocalTime iso={takesEffectAt} />, userId)}</p>
      <KeyName name={credential} />
      <p className="svc-note">{recovery.waitsWhy}</p>
    </CardPage>
  );
}

function Finished() {
  const { recovery } = useTexts();
  return (
    <CardPage title={recovery.finished} next={{ href: "/login", label: recovery.signIn }}>
      <p className="svc-paragraph">{recovery.finishedText}</p>
    </CardPage>
  );
}

const signInLink = (text: string) => <TextLink href="/login">{text}</TextLink>;

// Created once, because a source must be the same object in every render.
const SOURCE = recoverySource();

/** The key that answers the code becomes the account's new key. */
export function RecoveryLogin({
  leftMs,
  source = SOURCE,
  ...props
}: LoginProps & {
  /** Until the recovery permission ends. */
  leftMs: number;
  source?: LoginSource;
}) {
  useEffect(() => {
    const timer = setTimeout(() => window.location.reload(), leftMs + 1_000);
    return () => clearTimeout(timer);
  }, [leftMs]);
  return <Login {...props} action="recover" source={source} />;
}

/** The server then says whether the user is signed in or must wait. */
function ConfirmRecovery({ sid, provider }: { sid: string; provider: "svc" | "fast" }) {
  const texts = useTexts();
  const confirm = async () => {
    const result = await redeemLogin({ provider, direct: provider === "svc" }, sid);
    if (result === "unreachable") return texts.unreachable;
    window.location.assign(result === "signed-in" ? "/dashboard" : RECOVERY_PATH);
    return null;
  };
  return (
    <KeyConfirmation declineHref={RECOVERY_PATH} busyLabel={texts.recovery.recovering} confirm={confirm}>
      {texts.recovery.itIsMine}
    </KeyConfirmation>
  );
}
