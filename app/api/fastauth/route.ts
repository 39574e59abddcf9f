import { login } from "#lib/login.ts";

/** A fast wallet response, by GET or POST (docs/protocol.md#62-get-and-post-apifastauth). */
export const GET = login.routes.GET;
export const POST = login.routes.POST;
