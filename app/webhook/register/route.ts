import { login } from "#lib/login.ts";

/**
 * Returns the description of the browser that requested the code to wallets, which ask for JSON, and a page to all
 * other clients (docs/protocol.md#111-before-signing).
 */
export const GET = login.routes.GET;
/** Accepts a wallet's response to a register challenge (docs/protocol.md#32-post-webhooklogin-post-webhookregister). */
export const POST = login.routes.POST;
