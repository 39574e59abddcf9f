import type { LoginState } from "@svc/login/client";
import type { Action, Intent, RefusalReason } from "@svc/login/protocol";

/** What the code is for: an action of the protocol, or what a signed-in browser asks for instead. */
export type PanelAction = Action | Intent;

/** What the status line under the code says. `tone` colours it; the words say it all. */
export type PanelWords = {
  title: string;
  detail: string | null;
  tone: "neutral" | "success" | "warning" | "danger";
};

const words = (
  title: string,
  detail: string | null = null,
  tone: PanelWords["tone"] = "neutral",
): PanelWords => ({
  title,
  detail,
  tone,
});

/** The words for a state of the panel. They change with the state only, so that a screen reader hears each once. */
export function panelWords(state: LoginState, action: PanelAction, domain: string): PanelWords {
  switch (state.phase) {
    case "loading":
      return words("Getting a code…");
    case "waiting":
      return state.refused ? refused(state.refused.reason, action) : words("Waiting for your wallet");
    case "received":
      return words("Your wallet answered", NEXT[action], "success");
    case "signed-in":
      return action === "login" || action === "register"
        ? words("You’re signed in", "One moment…", "success")
        : words("Your wallet answered", NEXT[action], "success");
    case "unregistered":
      return words(
        "This wallet has no account here yet",
        "The signature is valid, but no account here uses this wallet.",
        "warning",
      );
    case "paused":
      return words("Still there?", "You were away for five minutes, so the code has expired.");
    case "offline":
      return words("No connection", `We cannot reach ${domain}. We keep trying.`, "warning");
    case "rate-limited":
      return words(
        "Too many tries",
        "Too many codes were requested from your network. We try again shortly.",
        "warning",
      );
    case "failed":
      return state.reason === "unavailable"
        ? words("We could not get a code", `${domain} has a problem. We keep trying.`, "danger")
        : words(
            action === "register" ? "We could not finish your registration" : "We could not sign you in",
            "Your wallet's answer was accepted, but not for this browser. Please start again.",
            "danger",
          );
  }
}

/** What the page does with the answer. */
const NEXT: Record<PanelAction, string> = {
  login: "Signing you in…",
  register: "Signing you in…",
  add: "One more question…",
  approve: "Approved. Going on…",
  recover: "One more question…",
};

function refused(reason: RefusalReason, action: PanelAction): PanelWords {
  if (reason !== "foreign_key" || action !== "recover") return REFUSED[reason];
  return words(
    "This wallet has an account here already",
    "Sign in with it instead. To recover another account, use a wallet or an account number that is new here.",
    "warning",
  );
}

const REFUSED: Record<RefusalReason, PanelWords> = {
  challenge_expired: words(
    "That code had expired",
    "Your wallet answered too late. Scan the code that is shown now.",
    "warning",
  ),
  invalid_signature: words(
    "That answer was not valid",
    "A wallet answered, but its signature did not fit. Nobody was signed in. Scan the code again.",
    "danger",
  ),
  intent_mismatch: words(
    "That code was changed on its way",
    "A wallet was shown another question than this page asks, so its answer did nothing. Scan the code on this screen, and no copy of it.",
    "danger",
  ),
  foreign_key: words(
    "That was not your key",
    "A wallet answered with a key that your account does not have. Approve with one that signs you in.",
    "danger",
  ),
};
