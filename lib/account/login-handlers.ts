import "server-only";
import { loginHandlers } from "#lib/login/server/handlers.ts";
import { readCodeIntent } from "./code-intent.ts";

/** The login's endpoints, whose codes can also add a key to an account or approve a change to it. */
export const handlers = loginHandlers(readCodeIntent);
