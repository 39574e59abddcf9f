import { handlers } from "#lib/account/login-handlers.ts";
import { loginEndpoint } from "#lib/platform/login.ts";

/** The status of a login as server-sent events (docs/protocol.md#34-get-apisvcevents). */
export const GET = loginEndpoint("events", handlers.events);
