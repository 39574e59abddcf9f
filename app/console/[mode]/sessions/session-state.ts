import type { SessionState } from "#components/console/hosted-session-list.tsx";

/** Where a login stands for people: one that waits is told apart from one whose code has run out. */
export function sessionState(status: "pending" | "authenticated", expiresAt: Date, now: Date): SessionState {
  if (status === "authenticated") return status;
  return expiresAt <= now ? "expired" : "pending";
}
