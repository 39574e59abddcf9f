import { handlers } from "#lib/account/login-handlers.ts";
import { loginEndpoint } from "#lib/platform/login.ts";

/** Starts a login, or renews its code (docs/protocol.md#31-get-apisvcqr). */
export const GET = loginEndpoint("qr", handlers.qr);
