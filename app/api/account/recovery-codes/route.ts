import { handlers, recoveryEndpoint } from "#lib/account/recovery.ts";

/** Makes two recovery codes; they are in this answer and nowhere else again (docs/protocol.md#101-recovery-codes). */
export const POST = recoveryEndpoint(handlers.makeCodes);
