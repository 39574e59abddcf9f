import { login } from "#lib/account/login.ts";

/** Starts a login, or renews its code (docs/protocol.md#31-get-apisvcqr). */
export const GET = login.routes.GET;
