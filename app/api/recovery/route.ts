import { login } from "#lib/login.ts";

/** Starts a recovery with a recovery code (docs/protocol.md#102-post-apirecovery). */
export const POST = login.routes.POST;
