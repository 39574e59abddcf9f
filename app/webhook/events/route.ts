import { demoWebhookSecret } from "#lib/hosted-demo/demo-secrets.ts";
import { onDemoEvent } from "#lib/hosted-demo/on-demo-event.ts";
import { receiveEvent } from "#lib/hosted-demo/receive-event.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { readBytes } from "#lib/platform/http/read-json.ts";
import { log } from "#lib/platform/log.ts";

/** The demo customer's receiver of events; its errors are `{error: "<message>"}`. */
export async function POST(request: Request): Promise<Response> {
  const response = await receive(request);
  response.headers.set("Cache-Control", "no-store");
  return response;
}

async function receive(request: Request): Promise<Response> {
  try {
    return await receiveEvent(await readBytes(request), request.headers, demoWebhookSecret(), onDemoEvent);
  } catch (error) {
    if (error instanceof ApiError) return Response.json({ error: error.message }, { status: error.status });
    log().warn({ error }, "event not received");
    // Anything but a 2xx: the event comes again.
    return Response.json({ error: "Something failed on our side. Send it again." }, { status: 500 });
  }
}
