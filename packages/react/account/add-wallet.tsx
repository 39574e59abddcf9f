"use client";

import { signInAgainPath, useLogin } from "@svc/login/client";
import { linkedWalletSource, linkWallet, readLinkedWallet, removeWallet } from "@svc/login/linked-wallets";
import { useEffect, useState, useTransition } from "react";
import { KeyConfirmationLabel, KeyName } from "../login/confirm-key.tsx";
import { LoginPanel, type LoginProps } from "../login/login-panel.tsx";
import { CodeActions } from "../login/qr-code.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Button, FocusedHeading } from "../ui/button.tsx";
import { ButtonLink, joinClassNames } from "../ui/button-look.tsx";
import { ConfirmButton } from "../ui/dialog.tsx";
import { Notice, Problem, Section, TextLink } from "../ui/elements.tsx";

type Props = Pick<LoginProps, "domain" | "demoWallet" | "walletHref" | "className"> & {
  /** The default is the login page, which sends the user back to this page. */
  signInHref?: string;
};

// Created once, because a source must be the same object in every render.
const SOURCE = linkedWalletSource();
// This page reacts to the wallet's answer itself.
const DO_NOTHING = () => {};

type LinkedState = Awaited<ReturnType<typeof readLinkedWallet>>;

/**
 * For users who signed in to the site without a wallet. The wallet then signs in the same user
 * (docs/existing-application.md#add-a-wallet-to-an-existing-user).
 */
export function AddWallet({ className, ...props }: Props) {
  const { addWallet } = useTexts();
  return (
    <Section
      id="add-wallet"
      title={addWallet.title}
      text={addWallet.text}
      className={joinClassNames("svc-narrow", className)}
    >
      <Steps {...props} />
    </Section>
  );
}

function Steps({ signInHref: givenHref, ...props }: Omit<Props, "className">) {
  const { addWallet, panel, controls, refusal, unreachable } = useTexts();
  const [linked, setLinked] = useState<LinkedState | null>(null);
  const [step, setStep] = useState<"idle" | "code" | "added" | "removed">("idle");
  const [sid, setSid] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, start] = useTransition();
  useEffect(() => void readLinkedWallet(null).then(setLinked), []);
  const show = async (next: typeof step, answeredSid: string | null = null) => {
    setSid(answeredSid);
    setStep(next);
    setLinked(await readLinkedWallet(answeredSid));
  };
  const add = (answeredSid: string) =>
    start(async () => {
      const result = await linkWallet(answeredSid);
      setProblem(result.done ? null : refusal(result.code, result.message));
      await show(result.done ? "added" : "idle");
    });
  const ask = () => {
    setProblem(null);
    setSid(null);
    setStep("code");
  };

  if (linked === null) return <p className="svc-note">{addWallet.loading}</p>;
  const signInHref = givenHref ?? signInAgainPath();
  if (linked.status === "unknown") {
    return (
      <div className="svc-stack">
        <Problem>{unreachable}</Problem>
        <Button onClick={() => show(step, sid)}>{panel.tryAgain}</Button>
      </div>
    );
  }
  if (linked.status === "known" && linked.wallet !== null) {
    return (
      <div className="svc-stack">
        <Notice tone="success" title={step === "added" ? addWallet.added : addWallet.linked}>
          <KeyName name={linked.wallet} />
        </Notice>
        <RemoveWallet isFresh={linked.fresh} signInHref={signInHref} onRemoved={() => show("removed")} />
      </div>
    );
  }
  if (linked.status === "signed-out" || !linked.fresh) {
    const texts = linked.status === "signed-out" ? addWallet.signedOut : addWallet.signInAgain;
    return <SignInFirst {...texts} href={signInHref} />;
  }
  if (step === "code" && sid !== null && linked.answered !== null) {
    return <Compare name={linked.answered} pending={pending} onDecline={ask} onConfirm={() => add(sid)} />;
  }
  if (step === "code") {
    return (
      <div className="svc-stack">
        <Code {...props} onAnswered={(answeredSid) => void show("code", answeredSid)} />
        <Button variant="quiet" onClick={() => show("idle")}>
          {controls.cancel}
        </Button>
      </div>
    );
  }
  return (
    <div className="svc-stack">
      {step === "removed" && <FocusedHeading>{addWallet.removed}</FocusedHeading>}
      <Problem>{problem}</Problem>
      <Button variant="primary" onClick={ask}>
        {addWallet.add}
      </Button>
    </div>
  );
}

/** The user must have signed in recently and without this wallet. */
function RemoveWallet({
  isFresh,
  signInHref,
  onRemoved,
}: {
  isFresh: boolean;
  signInHref: string;
  onRemoved: () => Promise<void>;
}) {
  const { account, addWallet, refusal, signInAgain } = useTexts();
  const [problem, setProblem] = useState<React.ReactNode>(null);
  const [pending, start] = useTransition();
  const signInFirst = (text: string) => (
    <>
      {text} <TextLink href={signInHref}>{signInAgain}</TextLink>
    </>
  );
  const remove = () =>
    start(async () => {
      setProblem(null);
      const result = await removeWallet();
      if (result.done) await onRemoved();
      else if (result.code === "approval_required") setProblem(signInFirst(addWallet.signInToRemove));
      else if (result.code === "not_signed_in") setProblem(signInFirst(refusal(result.code, result.message)));
      else setProblem(refusal(result.code, result.message));
    });
  if (!isFresh) return <p className="svc-note">{signInFirst(addWallet.signInToRemove)}</p>;
  return (
    <ConfirmButton
      label={addWallet.remove}
      question={addWallet.removeQuestion}
      confirmLabel={account.remove}
      busy={account.removing}
      pending={pending}
      problem={problem}
      look={{ variant: "secondary", className: "svc-start" }}
      onConfirm={remove}
    />
  );
}

function SignInFirst({ title, detail, href }: { title: string; detail: string | null; href: string }) {
  const { signInAgain } = useTexts();
  return (
    <div className="svc-stack">
      <Notice tone="warning" title={title}>
        {detail}
      </Notice>
      <ButtonLink variant="primary" href={href}>
        {signInAgain}
      </ButtonLink>
    </div>
  );
}

/** Anyone who saw the code could have answered it, so the user compares the key before it is added. */
function Compare({
  name,
  pending,
  onDecline,
  onConfirm,
}: {
  name: string;
  pending: boolean;
  onDecline: () => void;
  onConfirm: () => void;
}) {
  const { addWallet, controls } = useTexts();
  return (
    <div className="svc-stack">
      <FocusedHeading>{addWallet.isYours}</FocusedHeading>
      <p className="svc-paragraph">{addWallet.answered}</p>
      <KeyName name={name} />
      <p className="svc-note">{addWallet.compare}</p>
      <div className="svc-pair">
        <Button disabled={pending} onClick={onDecline}>
          {controls.notMine}
        </Button>
        <Button variant="primary" disabled={pending} onClick={onConfirm}>
          {pending ? addWallet.adding : <KeyConfirmationLabel>{addWallet.confirm}</KeyConfirmationLabel>}
        </Button>
      </div>
    </div>
  );
}

function Code({
  domain,
  demoWallet = false,
  walletHref,
  onAnswered,
}: Omit<Props, "className" | "signInHref"> & { onAnswered: (sid: string) => void }) {
  const login = useLogin(SOURCE, null, DO_NOTHING);
  const { state } = login;
  const answeredSid = state.phase === "received" ? state.sid : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once for each answer
  useEffect(() => {
    if (answeredSid !== null) onAnswered(answeredSid);
  }, [answeredSid]);
  const qr = state.phase === "waiting" ? state.qr : null;
  const codeActions = <CodeActions qr={qr} demoWallet={demoWallet} walletHref={walletHref} />;
  return <LoginPanel action="add" domain={domain} login={login} ways={codeActions} isBare />;
}
