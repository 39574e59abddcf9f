import { login } from "#lib/account/login.ts";

/** Whether a fast login has an address (docs/protocol.md#63-get-apicheckfast). */
export const GET = login.routes.GET;
