import { login } from "#lib/login.ts";

/** Starts a login, or renews its code (docs/protocol.md#31-get-apisvcqr). */
export const GET = login.routes.GET;
