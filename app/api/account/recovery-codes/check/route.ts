import { handlers, recoveryEndpoint } from "#lib/account/recovery.ts";

/** Tells the signed-in user that a code of theirs works, and leaves it as it is. */
export const POST = recoveryEndpoint(handlers.checkCode);
