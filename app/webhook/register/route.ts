import { login } from "#lib/login.ts";

/**
 * For a wallet, which asks for JSON, returns a description of the browser that requested the QR code. For any other
 * client, returns a page (docs/protocol.md#111-before-signing).
 */
export const GET = login.routes.GET;
/** Accepts a wallet's response to a register challenge (docs/protocol.md#32-post-webhooklogin-post-webhookregister). */
export const POST = login.routes.POST;
