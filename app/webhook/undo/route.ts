import { login } from "#lib/login.ts";

/** Undoes a login: a POST immediately, a GET after a confirmation (docs/protocol.md#112-after-signing). */
export const GET = login.routes.GET;
export const POST = login.routes.POST;
