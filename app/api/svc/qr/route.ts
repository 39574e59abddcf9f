import { login } from "#lib/login.ts";

/** Starts a login, or renews its QR code (docs/protocol.md#31-get-apisvcqr). */
export const GET = login.routes.GET;
