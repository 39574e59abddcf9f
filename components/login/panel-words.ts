import type { LoginState } from "@svc/login/client";
import type { Action, Intent, RefusalReason } from "@svc/login/protocol";
import type { LoginWords } from "#components/words/en.tsx";

/** What the code is for: an action of the protocol, or what a signed-in browser asks for instead. */
export type PanelAction = Action | Intent;

/** What the status line under the code says. `tone` colours it; the words say it all. */
export type PanelWords = {
  title: string;
  detail: string | null;
  tone: "neutral" | "success" | "warning" | "danger";
};

type Status = LoginWords["status"];

/** The words for a state of the panel. They change with the state only, so that a screen reader hears each once. */
export function panelWords(
  status: Status,
  state: LoginState,
  action: PanelAction,
  domain: string,
): PanelWords {
  const isSignIn = action === "login" || action === "register";
  const answered = { title: status.received, detail: status.next[action] };
  switch (state.phase) {
    case "loading":
      return { ...status.loading, tone: "neutral" };
    case "waiting":
      return state.refused
        ? refused(status, state.refused.reason, action)
        : { ...status.waiting, tone: "neutral" };
    case "received":
      return { ...answered, tone: "success" };
    case "signed-in":
      return { ...(isSignIn ? status.signedIn : answered), tone: "success" };
    case "unregistered":
      return { ...status.unregistered, tone: "warning" };
    case "paused":
      return { ...status.paused, tone: "neutral" };
    case "offline":
      return { ...status.offline(domain), tone: "warning" };
    case "rate-limited":
      return { ...status.limited, tone: "warning" };
    case "failed":
      if (state.reason === "unavailable") return { ...status.unavailable(domain), tone: "danger" };
      return { ...(action === "register" ? status.notRegistered : status.notSignedIn), tone: "danger" };
  }
}

function refused(status: Status, reason: RefusalReason, action: PanelAction): PanelWords {
  if (reason === "foreign_key" && action === "recover") return { ...status.knownKey, tone: "warning" };
  const tone = reason === "challenge_expired" ? "warning" : "danger";
  return { ...status.refused[reason], tone };
}
