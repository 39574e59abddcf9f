import { login } from "#lib/login.ts";

/** Where a login stands (docs/protocol.md#33-get-apisvccheck). */
export const GET = login.routes.GET;
