import { login } from "#lib/login.ts";

/** Returns the status of a login (docs/protocol.md#33-get-apisvccheck). */
export const GET = login.routes.GET;
