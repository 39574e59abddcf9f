import { handlers, recoveryEndpoint } from "#lib/account/recovery.ts";

/** Cancels the recovery of the signed-in user, from any of their browsers. */
export const DELETE = recoveryEndpoint(handlers.cancel);
