import { checkFastLogin } from "#lib/fast/check-fast-login.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { requireSid } from "#lib/platform/http/require-sid.ts";
import { coreOf } from "#lib/platform/login.ts";

/** Whether a fast login has an address (docs/protocol.md#63-get-apicheckfast). */
export const GET = endpoint({ limit: "checkfast", countedWithQuery: true, plainText: true }, async (call) =>
  jsonResponse(200, await checkFastLogin(coreOf(call), requireSid(call.query))),
);
