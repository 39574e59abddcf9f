import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { ReadableStream } from "node:stream/web";

/** Returns the request as its route handler receives it. */
export function toWebRequest(message: IncomingMessage): Request {
  const { method = "GET", url } = message;
  const headers = toWebHeaders(message.headers);
  // The handler limits the size and time of a body. The server discards the unread rest.
  const hasBody = method === "POST" || method === "PATCH";
  const body = hasBody ? ReadableStream.from(message.iterator({ destroyOnReturn: false })) : null;
  // The types are a browser's and lack `duplex`, which a stream body requires.
  const init = { method, headers, body, duplex: "half" } as RequestInit;
  return new Request(`http://localhost${url}`, init);
}

/**
 * Returns the headers of a request as the gate left them. Leaves out `Set-Cookie`, the only list: no request has it.
 */
export function toWebHeaders(headers: IncomingHttpHeaders): [name: string, value: string][] {
  return Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string");
}

/** Sends a web response (text or an event stream) as the server's response. */
export async function sendResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  if (answer.headers.get("content-type") === "text/event-stream" && answer.body) {
    return pass(answer.body, response);
  }
  // Node writes text in one piece with the headers.
  const body = await answer.text();
  // A response without content has no length either (RFC 9110, 8.6).
  if (answer.status !== 204) response.setHeader("content-length", Buffer.byteLength(body));
  response.end(body);
}

/** Forwards a stream until it ends or the client disconnects. */
async function pass(body: NonNullable<Response["body"]>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  // The client may have already disconnected.
  if (response.destroyed) return reader.cancel();
  response.once("close", () => void reader.cancel());
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    response.write(value);
  }
  response.end();
}
