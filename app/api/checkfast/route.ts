import { type FastCheckAnswer, fastTokenTime } from "#lib/fast/protocol.ts";
import { hasFastAddress } from "#lib/fast/store/fast-session.ts";
import { jsonResponse, requireSid } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";

/** 1 when a fast login has an address, else 0, for a sid that is none too (docs/protocol.md#63-get-apicheckfast). */
export const GET = endpoint({ limit: "checkfast", countedWithQuery: true, plainText: true }, async (call) => {
  const sid = requireSid(call.query);
  const hasAddress = fastTokenTime(sid) !== null && (await hasFastAddress(call.database, sid));
  const answer: FastCheckAnswer = { sid, status: hasAddress ? 1 : 0 };
  return jsonResponse(200, answer);
});
