import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type DirectHandler, directHandlers } from "#lib/platform/http/direct-handlers.ts";
import { TextResponse } from "#packages/login/http/text-response.ts";
import type { SentHeaders, WebRequest } from "#packages/login/server/web-request.ts";

/** Answers a request that passed the gate by its own handler; null when the framework has to answer it. */
export function answerDirectly(request: IncomingMessage, response: ServerResponse): Promise<void> | null {
  const { method = "", url = "" } = request;
  const at = url.indexOf("?");
  const handler = find(method, at < 0 ? url : url.slice(0, at));
  return handler ? handler(new DirectRequest(request)).then((answered) => send(answered, response)) : null;
}

function find(method: string, path: string): DirectHandler | undefined {
  const { at, below } = directHandlers;
  const handler = at.get(`${method} ${path}`);
  if (handler) return handler;
  for (const [prefix, each] of below) if (path.startsWith(prefix)) return each;
  return undefined;
}

/** Sends a web response as the answer of the server. */
export async function send(answered: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answered.status;
  for (const [name, value] of answered.headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = answered.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  const isText = answered instanceof TextResponse;
  if (!isText && answered.body && answered.headers.get("content-type") === "text/event-stream") {
    return pass(answered.body, response);
  }
  const body = isText ? answered.content : await answered.text();
  // An answer without content has no length either (RFC 9110, 8.6).
  if (answered.status !== 204) response.setHeader("content-length", Buffer.byteLength(body));
  response.end(body);
}

/** Forwards a stream until it ends or the client hangs up. */
async function pass(body: ReadableStream<Uint8Array<ArrayBuffer>>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  // The client may have hung up already.
  if (response.destroyed) return reader.cancel();
  response.once("close", () => void reader.cancel());
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    response.write(value);
  }
  response.end();
}

class DirectRequest implements WebRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: SentHeaders;
  readonly body: WebRequest["body"];

  constructor(message: IncomingMessage) {
    const { method = "GET", url, headers } = message;
    this.method = method;
    this.url = `http://localhost${url}`;
    // As the gate left them, not as they were sent.
    this.headers = new NodeHeaders(headers);
    // Its reader limits size and time. What it leaves unread, the server discards.
    const hasBody = method === "POST" || method === "PATCH";
    this.body = hasBody ? message.iterator({ destroyOnReturn: false }) : null;
  }

  /** Never aborts: a client that hangs up cancels the stream that it is sent. */
  get signal(): AbortSignal {
    return new AbortController().signal;
  }
}

/** The headers of Node's request. Leaves out `Set-Cookie`, the only list: no request has it. */
export class NodeHeaders implements SentHeaders {
  readonly #headers: IncomingHttpHeaders;

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    const value = this.#headers[name.toLowerCase()];
    return typeof value === "string" ? value : null;
  }

  *entries(): Generator<[string, string]> {
    for (const [name, value] of Object.entries(this.#headers))
      if (typeof value === "string") yield [name, value];
  }
}
