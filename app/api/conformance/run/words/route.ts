import { SayWord } from "#lib/conformance-runs/messages.ts";
import { sayWord } from "#lib/conformance-runs/run.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { parseBody } from "#lib/platform/http/parse-body.ts";
import { coreOf } from "#lib/platform/login.ts";

/** What the person who holds the wallet says of a case. */
export const POST = endpoint({ limit: "conformance-run", countedWithQuery: true }, async (call) => {
  const said = await parseBody(call.request, SayWord);
  await sayWord(coreOf(call), call.request.headers, said);
  return new Response(null, { status: 204 });
});
