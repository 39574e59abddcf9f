import { openRecovery } from "#lib/account/recovery.ts";

/** Opens a recovery with a code (docs/protocol.md#102-post-apirecovery). */
export const POST = openRecovery;
