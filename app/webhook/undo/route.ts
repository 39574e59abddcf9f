import { login } from "#lib/login.ts";

/** Undoes a login: immediately for a POST, after a confirmation for a GET (docs/protocol.md#112-after-signing). */
export const GET = login.routes.GET;
export const POST = login.routes.POST;
