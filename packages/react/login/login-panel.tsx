"use client";

import {
  type LoginSource,
  type LoginState,
  shownCode,
  signInAgainPath,
  siteSource,
  useLogin,
} from "@svc/login/client";
import type { Action, Intent, RefusalReason } from "@svc/login/protocol";
import { useMemo, useState } from "react";
import type { Texts } from "../texts/en.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "../ui/button.tsx";
import { ButtonLink, buttonClass, joinClassNames } from "../ui/button-look.tsx";
import { CircleCheck, CircleX, Hourglass, LoaderCircle, Pause, UserPlus, WifiOff } from "../ui/icons.tsx";
import { Countdown } from "../ui/time.tsx";
import { CodeActions, QrCountdown, QrFrame, useSecondsSinceMount } from "./qr-code.tsx";

type PanelAction = Action | Intent;

export type LoginProps = {
  /** The domain that the wallet will show. */
  domain: string;
  /** The demo wallet opens in another tab. */
  demoWallet?: boolean;
  /** A page that explains how to get a wallet. */
  walletHref?: string;
  /** A same-origin path, or null to let the server decide. */
  callbackUrl?: string | null;
  /** Absent if there is no separate registration. */
  registerHref?: string | null;
  /** If set, the page stays open after the login. */
  onAnswered?: (() => void) | null;
  /** Shown after the sign-in if the page stays open. */
  next?: React.ReactNode;
  /** Shown before the other ways to answer the code. */
  tryOut?: (qr: string | null) => React.ReactNode;
  className?: string;
  children?: React.ReactNode;
};

type OwnSource = {
  /** The path on this site that redeems the answered login, for sites whose sessions come from another library. */
  enterAt?: string;
  /** False if the site has its own NextAuth options, so that only NextAuth can sign users in. */
  direct?: boolean;
};

/** By default, a single request signs the user in. */
function sourceOf(action: PanelAction, { enterAt, direct = true }: OwnSource): LoginSource {
  if (action !== "login" && action !== "register") {
    throw new Error(`<Login> with the action "${action}" needs the property "source".`);
  }
  return siteSource(action, enterAt === undefined ? { direct } : { enterAt });
}

/**
 * By default, the panel signs users in through this site's own endpoints; `action="register"` also creates accounts.
 * @param props.source other endpoints, or codes for another purpose; must be the same object in every render
 */
export function Login({
  action = "login",
  source,
  enterAt,
  direct,
  demoWallet = false,
  walletHref,
  callbackUrl = null,
  onAnswered = null,
  tryOut,
  ...props
}: LoginProps & OwnSource & { action?: PanelAction; source?: LoginSource }) {
  const codes = useMemo(
    () => source ?? sourceOf(action, { enterAt, direct }),
    [source, action, enterAt, direct],
  );
  const login = useLogin(codes, callbackUrl, onAnswered);
  const qr = shownCode(login.state);
  const codeActions = (
    <CodeActions qr={qr} demoWallet={demoWallet} hasWallet={action === "approve"} walletHref={walletHref}>
      {tryOut?.(qr)}
    </CodeActions>
  );
  return <LoginPanel {...props} {...{ action, login, ways: codeActions }} />;
}

type LoginPanelProps = Pick<LoginProps, "domain" | "registerHref" | "next" | "className" | "children"> & {
  action: PanelAction;
  login: ReturnType<typeof useLogin>;
  ways: React.ReactNode;
  /** The panel is already inside a frame and does not draw its own. */
  isBare?: boolean;
};

export function LoginPanel(props: LoginPanelProps) {
  const { action, domain, ways, isBare = false, className, children } = props;
  const { state } = props.login;
  const { panel, status } = useTexts();
  const intent = panel.intents[action];
  const { title, detail, tone } = getPanelTexts(status, state, action, domain);
  const stays = state.phase === "signed-in" && props.next;
  const [showsCode, setShowsCode] = useState(false);
  // The code is hidden on narrow screens, because a phone cannot scan its own screen.
  const folded = !isBare && !showsCode && "svc-folded";
  return (
    <section
      aria-label={`${intent} ${domain}`}
      data-phase={state.phase}
      className={joinClassNames("svc-panel", !isBare && "svc-card", className)}
    >
      <p className="svc-panel-title">
        <span className="svc-note">{intent}</span>
        <strong className="svc-title">{domain}</strong>
      </p>
      <div className={joinClassNames("svc-code", isBare && "svc-code-bare", folded)}>
        {state.phase === "waiting" ? (
          <QrFrame qr={state.qr} label={panel.pictureOf(intent, domain)} />
        ) : (
          <PhasePicture phase={state.phase} />
        )}
      </div>
      <div className="svc-status">
        <div role="status">
          <p className={`svc-heading svc-tone-${tone}`}>{title}</p>
          {detail && !stays && <p className="svc-note">{detail}</p>}
        </div>
        {state.phase === "waiting" && (
          <div className={joinClassNames(folded)}>
            <QrCountdown qr={state.qr} />
          </div>
        )}
        {state.phase === "rate-limited" && <NextTry key={state.retryAt} at={state.retryAt} />}
      </div>
      <PanelActions {...props} />
      {ways && (state.phase === "loading" || state.phase === "waiting") && (
        <Button
          variant="quiet"
          className="svc-unfold"
          aria-expanded={showsCode}
          onClick={() => setShowsCode(!showsCode)}
        >
          {showsCode ? panel.hideCode : panel.showCode}
        </Button>
      )}
      {children}
    </section>
  );
}

/** A new React key restarts the countdown. */
function NextTry({ at }: { at: number }) {
  const [seconds] = useState(() => (at - Date.now()) / 1000);
  const secondsHere = useSecondsSinceMount();
  const { panel } = useTexts();
  return <Countdown left={() => seconds - secondsHere()} before={panel.nextTryIn} />;
}

function PanelActions({ action, login, ways, registerHref, next }: LoginPanelProps) {
  const { panel } = useTexts();
  const { state, resume, restart } = login;
  switch (state.phase) {
    case "loading":
    case "waiting":
      return ways;
    case "unregistered":
      return (
        <div className="svc-ways">
          {registerHref && (
            <a href={registerHref} className={buttonClass({ variant: "primary" })}>
              {panel.createHere}
            </a>
          )}
          <Button onClick={restart}>{panel.anotherWallet}</Button>
        </div>
      );
    case "paused":
      return (
        <Button variant="primary" onClick={resume}>
          {panel.newCode}
        </Button>
      );
    case "offline":
    case "rate-limited":
      return <Button onClick={resume}>{panel.tryNow}</Button>;
    case "failed":
      return <AfterFailure action={action} failure={state} resume={resume} restart={restart} />;
    case "received":
    case "signed-in":
      if (state.phase === "signed-in" && next) return next;
      // The buttons are no longer needed, but keep their space so that the page does not shift before the page closes.
      return ways && <div className="svc-invisible">{ways}</div>;
  }
}

type FailedState = Extract<LoginState, { phase: "failed" }>;

function AfterFailure({
  action,
  failure,
  resume,
  restart,
}: Pick<LoginPanelProps, "action"> &
  Pick<LoginPanelProps["login"], "resume" | "restart"> & { failure: FailedState }) {
  const { panel, recovery, signInAgain } = useTexts();
  if (failure.reason === "elsewhere") {
    return (
      <ButtonLink variant="primary" href={failure.url}>
        {panel.openThere}
      </ButtonLink>
    );
  }
  if (failure.reason === "ended") {
    const isRecovery = action === "recover";
    return (
      <ButtonLink variant="primary" href={isRecovery ? "/recover" : signInAgainPath()}>
        {isRecovery ? recovery.lookAgain : signInAgain}
      </ButtonLink>
    );
  }
  const isUnavailable = failure.reason === "unavailable";
  return (
    <Button variant="primary" onClick={isUnavailable ? resume : restart}>
      {isUnavailable ? panel.tryAgain : panel.startAgain}
    </Button>
  );
}

const PICTURES = {
  loading: { Icon: LoaderCircle, className: "svc-turning svc-muted-text" },
  received: { Icon: CircleCheck, className: "svc-arriving svc-tone-success" },
  "signed-in": { Icon: CircleCheck, className: "svc-arriving svc-tone-success" },
  unregistered: { Icon: UserPlus, className: "svc-muted-text" },
  paused: { Icon: Pause, className: "svc-muted-text" },
  offline: { Icon: WifiOff, className: "svc-tone-warning" },
  "rate-limited": { Icon: Hourglass, className: "svc-tone-warning" },
  failed: { Icon: CircleX, className: "svc-tone-danger" },
} as const;

/** Decorative: the status line says the same in words. */
function PhasePicture({ phase }: { phase: Exclude<LoginState["phase"], "waiting"> }) {
  const { Icon, className } = PICTURES[phase];
  return (
    <div className="svc-picture">
      <Icon aria-hidden strokeWidth={1.5} className={className} />
    </div>
  );
}

/** `tone` only sets the colour. */
type PanelTexts = {
  title: string;
  detail: string | null;
  tone: "neutral" | "success" | "warning" | "danger";
};

type Status = Texts["status"];

/** Equal states have equal texts, so a screen reader announces each state once. */
export function getPanelTexts(
  status: Status,
  state: LoginState,
  action: PanelAction,
  domain: string,
): PanelTexts {
  const isSignIn = action === "login" || action === "register";
  const answeredTexts = { title: status.received, detail: status.next[action] };
  switch (state.phase) {
    case "loading":
      return { ...status.loading, tone: "neutral" };
    case "waiting":
      return state.refused
        ? refusalTexts(status, state.refused.reason, action)
        : { ...status.waiting, tone: "neutral" };
    case "received":
      return { ...answeredTexts, tone: "success" };
    case "signed-in":
      return { ...(isSignIn ? status.signedIn : answeredTexts), tone: "success" };
    case "unregistered":
      return { ...status.unregistered, tone: "warning" };
    case "paused":
      return { ...status.paused, tone: "neutral" };
    case "offline":
      return { ...status.offline(domain), tone: "warning" };
    case "rate-limited":
      return { ...status.limited, tone: "warning" };
    case "failed":
      return failureTexts(status, state, action, domain);
  }
}

function failureTexts(status: Status, failure: FailedState, action: PanelAction, domain: string): PanelTexts {
  switch (failure.reason) {
    case "unavailable":
      return { ...status.unavailable(domain), tone: "danger" };
    case "ended":
      return { ...(action === "recover" ? status.recoveryEnded : status.ended), tone: "danger" };
    case "no-cookies":
      return { ...status.noCookies(domain), tone: "danger" };
    case "elsewhere":
      return { ...status.elsewhere(new URL(failure.url).origin), tone: "warning" };
    case "sign-in":
      return { ...(action === "register" ? status.notRegistered : status.notSignedIn), tone: "danger" };
  }
}

function refusalTexts(status: Status, reason: RefusalReason, action: PanelAction): PanelTexts {
  if (reason === "foreign_key" && action === "recover") return { ...status.knownKey, tone: "warning" };
  if (reason === "foreign_key" && action === "add") return { ...status.takenWallet, tone: "warning" };
  const tone = reason === "challenge_expired" ? "warning" : "danger";
  return { ...status.refused[reason], tone };
}
