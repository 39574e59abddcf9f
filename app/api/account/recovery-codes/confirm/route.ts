import { handlers, recoveryEndpoint } from "#lib/account/recovery.ts";

/** Makes the new codes work, once both are typed back. */
export const POST = recoveryEndpoint(handlers.confirmCodes);
