import { handlers } from "#lib/account/login-handlers.ts";
import { loginEndpoint } from "#lib/platform/login.ts";

/** A wallet response to a login challenge (docs/protocol.md#32-post-webhooklogin-post-webhookregister). */
export const POST = loginEndpoint("webhook-login", handlers.respond("login"));
