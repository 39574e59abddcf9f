import { checkFastLogin } from "#lib/fast/check-fast-login.ts";
import { endpoint, jsonResponse } from "#lib/platform/http/endpoint.ts";
import { requireSid } from "#lib/platform/http/require-sid.ts";

/** Specification 4.3: whether a session has an address. */
export const GET = endpoint(
  { limit: "checkfast", countedWithQuery: true, plainText: true },
  async ({ query, limit }) => jsonResponse(200, await checkFastLogin(requireSid(query), limit)),
);
