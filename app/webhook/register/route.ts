import { login } from "#lib/login.ts";

/**
 * Describes the browser that requested a code to a wallet, as JSON. Other GET requests get a page
 * (docs/protocol.md#111-before-signing).
 */
export const GET = login.routes.GET;
/** A wallet response to a register challenge (docs/protocol.md#32-post-webhooklogin-post-webhookregister). */
export const POST = login.routes.POST;
