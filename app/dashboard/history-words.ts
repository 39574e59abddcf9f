import type { LoginEventRow } from "#lib/store/login-event.ts";

/** A line of the login history in words; `null` for what concerns no user. */
export function historyWords({ kind, reason }: Pick<LoginEventRow, "kind" | "reason">): string | null {
  switch (kind) {
    case "delivered":
      return "Your wallet confirmed a login";
    case "session_created":
      return "A browser was signed in";
    case "session_ended":
      return reason === "signed_out" ? "A browser signed out" : "A session was revoked";
    case "credential_added":
      return "A way to sign in was added";
    case "credential_removed":
      return "A way to sign in was removed";
    case "issued":
    case "refused":
    case "unregistered":
      return null;
  }
}
