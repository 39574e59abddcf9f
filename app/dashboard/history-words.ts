import type { LoginEventRow } from "#lib/store/login-event.ts";

/** A line of the login history in words; null for what its user need not read. */
export function historyWords({ kind, reason }: Pick<LoginEventRow, "kind" | "reason">): string | null {
  switch (kind) {
    case "session_created":
      return "Signed in";
    case "session_ended":
      return reason === "signed_out" ? "Signed out" : "Revoked";
    case "credential_added":
      return "Way to sign in added";
    case "credential_removed":
      return reason === "not_mine"
        ? "Way to sign in removed by its holder, whose account this is not"
        : "Way to sign in removed";
    // The session that came of it says the same, with the browser.
    case "delivered":
    case "issued":
    case "refused":
    case "unregistered":
      return null;
  }
}
