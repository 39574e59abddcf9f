import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { classNames } from "#components/ui/class-names.ts";
import type { LoginState } from "#lib/login/client/login-state.ts";
import { Countdown } from "./countdown.tsx";
import { type PanelAction, type PanelWords, panelWords } from "./panel-words.ts";
import { PhasePicture } from "./phase-picture.tsx";
import { QrFrame, QrRenewal } from "./qr-frame.tsx";

export type LoginPanelProps = {
  action: PanelAction;
  /** The domain that the wallet will name. */
  domain: string;
  state: LoginState;
  /** The ways to answer the code that need no camera. */
  ways: React.ReactNode;
  /** Where a wallet without an account goes on; null where there is no registration of its own. */
  registerHref: string | null;
  onResume: () => void;
  onRestart: () => void;
  /** What there is to say whatever the state. */
  children?: React.ReactNode;
};

const INTENTS: Record<PanelAction, string> = {
  login: "Sign in to",
  register: "Create an account at",
  add: "Another way to sign in to",
  approve: "Approve a change to your account at",
  recover: "Recover your account at",
};

const TONES: Record<PanelWords["tone"], string> = {
  neutral: "text-foreground",
  success: "text-success",
  warning: "text-warning",
  danger: "text-danger",
};

/** The code, what is happening, and what to do next: one look for every flow and every state. */
export function LoginPanel(props: LoginPanelProps) {
  const { action, domain, state, children } = props;
  const intent = INTENTS[action];
  const { title, detail, tone } = panelWords(state, action, domain);
  return (
    <section
      aria-label={`${intent} ${domain}`}
      data-phase={state.phase}
      className="grid gap-4 rounded-base border bg-card p-4 sm:p-6"
    >
      <p className="text-center">
        <span className="block text-muted-foreground text-sm">{intent}</span>
        <strong className="wrap-anywhere font-semibold text-title">{domain}</strong>
      </p>
      {state.phase === "waiting" ? (
        <QrFrame qr={state.qr} label={`QR code: ${intent.toLowerCase()} ${domain}`} />
      ) : (
        <PhasePicture phase={state.phase} />
      )}
      <div className="flex min-h-6 flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <div role="status">
          <p className={classNames("font-semibold", TONES[tone])}>{title}</p>
          {detail && <p className="text-muted-foreground text-sm">{detail}</p>}
        </div>
        {state.phase === "waiting" && <QrRenewal qr={state.qr} />}
        {state.phase === "rate-limited" && <Countdown at={state.retryAt} before="Next try in" />}
      </div>
      <PanelActions {...props} />
      {children}
    </section>
  );
}

function PanelActions({ state, ways, registerHref, onResume, onRestart }: LoginPanelProps) {
  switch (state.phase) {
    case "loading":
    case "waiting":
      return ways;
    case "unregistered":
      return (
        <div className="grid gap-3">
          {registerHref && (
            <a href={registerHref} className={buttonClass({ variant: "primary" })}>
              Create an account with this wallet
            </a>
          )}
          <Button onClick={onRestart}>Use another wallet</Button>
        </div>
      );
    case "paused":
      return (
        <Button variant="primary" onClick={onResume}>
          Show a new code
        </Button>
      );
    case "offline":
    case "rate-limited":
      return <Button onClick={onResume}>Try now</Button>;
    case "failed":
      return (
        <Button variant="primary" onClick={state.reason === "unavailable" ? onResume : onRestart}>
          {state.reason === "unavailable" ? "Try again" : "Start again"}
        </Button>
      );
    case "received":
    case "signed-in":
      // Nothing to do, in the same room: the page stays still in its last moment.
      return ways && <div className="invisible">{ways}</div>;
  }
}
