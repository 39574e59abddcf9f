import { checkLogin } from "#lib/login/server/check-login.ts";
import { endpoint, jsonResponse } from "#lib/platform/http/endpoint.ts";
import { requireSid } from "#lib/platform/http/require-sid.ts";

/** Specification 4.1: the status of a session. */
export const GET = endpoint({ limit: "check", countedWithQuery: true }, async ({ query, limit }) =>
  jsonResponse(200, await checkLogin(requireSid(query), limit)),
);
