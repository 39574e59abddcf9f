import { login } from "#lib/login.ts";

/** Takes a login back: by a POST at once, by a GET after a question (docs/protocol.md#112-after-signing). */
export const GET = login.routes.GET;
export const POST = login.routes.POST;
