import { login } from "#lib/account/login.ts";

/** A wallet response to a login challenge (docs/protocol.md#32-post-webhooklogin-post-webhookregister). */
export const POST = login.routes.POST;
