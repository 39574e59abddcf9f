import { acceptFastResponse, type FastOutcome } from "#lib/fast/accept-fast-response.ts";
import { readSignedMessage } from "#lib/fast/read-signed-message.ts";
import { endpoint, textResponse } from "#lib/platform/http/endpoint.ts";
import { coreOf } from "#lib/platform/login.ts";

/** The plain-text answers (docs/protocol.md#62-get-and-post-apifastauth). */
const ANSWERS: Record<FastOutcome, [status: number, text: string]> = {
  authenticated: [200, "successfully authenticated: go back to the browser"],
  no_challenge: [400, "no challenge found: scan the code that is on the screen now"],
  not_verified: [401, "could not verify the signature of this code for this address"],
};

/** A wallet response, by GET or POST. */
export const GET = endpoint({ limit: "fastauth", countedWithQuery: true, plainText: true }, async (call) => {
  const signed = await readSignedMessage(call.request, call.query);
  const [status, text] = ANSWERS[await acceptFastResponse(coreOf(call), call.query, signed, call)];
  return textResponse(status, text);
});

export const POST = GET;
