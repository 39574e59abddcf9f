import { handlers } from "#lib/account/login-handlers.ts";
import { loginEndpoint } from "#lib/platform/login.ts";

/** Where a login stands (docs/protocol.md#33-get-apisvccheck). */
export const GET = loginEndpoint("check", handlers.check);
