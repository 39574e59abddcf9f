import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { ReadableStream } from "node:stream/web";

export function toWebRequest(message: IncomingMessage): Request {
  const { method = "GET", url } = message;
  const headers = toWebHeaders(message.headers);
  // The handler limits the body's size and the time for reading it. The server discards the rest of the body.
  const hasBody = method === "POST" || method === "PATCH";
  const body = hasBody ? ReadableStream.from(message.iterator({ destroyOnReturn: false })) : null;
  // The types are those of browsers and lack `duplex`, which streams require.
  const init = { method, headers, body, duplex: "half" } as RequestInit;
  return new Request(`http://localhost${url}`, init);
}

/** After the gate has processed them. Omits `Set-Cookie`, the only header with a list: requests never have it. */
export function toWebHeaders(headers: IncomingHttpHeaders): [name: string, value: string][] {
  return Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string");
}

/** Text or an event stream. */
export async function sendResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  if (answer.headers.get("content-type") === "text/event-stream" && answer.body) {
    return pass(answer.body, response);
  }
  // Node.js sends text together with the headers.
  const body = await answer.text();
  // A response without content has no Content-Length header either (RFC 9110, 8.6).
  if (answer.status !== 204) response.setHeader("content-length", Buffer.byteLength(body));
  response.end(body);
}

/** Ends when the stream ends or the client disconnects. */
async function pass(body: NonNullable<Response["body"]>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  // The client might already have disconnected.
  if (response.destroyed) return reader.cancel();
  response.once("close", () => void reader.cancel());
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    response.write(value);
  }
  response.end();
}
