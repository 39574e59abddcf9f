/** What became of a user's codes or recovery, in the words of the login history. */
export type RecoveryEvent = {
  kind: "recovery_codes_made" | "recovery_opened" | "recovery_pending" | "recovery_cancelled" | "recovered";
  userId: number;
};

/**
 * Is told of an event once it has happened: after `recovered`, the user's browser sessions have ended. Told at most
 * once, and not at all if the process dies at that moment; the history has it all the same.
 */
export type OnRecoveryEvent = (event: RecoveryEvent) => Promise<void>;
