import { login } from "#lib/login.ts";

/** Returns the QR URL for this browser's fast login (docs/protocol.md#61-get-apigetqrcode). */
export const GET = login.routes.GET;
