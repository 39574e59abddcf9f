import { login } from "#lib/login.ts";

/** Streams the status of a login as server-sent events (docs/protocol.md#34-get-apisvcevents). */
export const GET = login.routes.GET;
