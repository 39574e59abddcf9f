import { login } from "#lib/login.ts";

/** Opens a recovery with a code (docs/protocol.md#102-post-apirecovery). */
export const POST = login.routes.POST;
