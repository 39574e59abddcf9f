import { login } from "#lib/login.ts";

/** Accepts a wallet's response to a fast login (docs/protocol.md#62-get-and-post-apifastauth). */
export const GET = login.routes.GET;
export const POST = login.routes.POST;
