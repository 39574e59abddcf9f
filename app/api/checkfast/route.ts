import { login } from "#lib/login.ts";

/** Reports whether a Bitcoin address has answered a fast login (docs/protocol.md#63-get-apicheckfast). */
export const GET = login.routes.GET;
