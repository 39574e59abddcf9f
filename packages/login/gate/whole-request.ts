import { IncomingMessage } from "node:http";
import { readBodyBytes } from "../http/read-body.ts";
import { Refusal } from "../protocol/errors.ts";
import { refuseRequest } from "./check-request-head.ts";
import type { Handler } from "./guard-server.ts";
import type { GateSettings } from "./settings.ts";

/** The framework would buffer up to 10 MB of a body of unknown length. */
export function withBufferedBody(
  settings: GateSettings,
  isExempt: (pathname: string) => boolean,
  framework: Handler,
): Handler {
  return async (request, response) => {
    const { url = "", headers } = request;
    const pathname = url.split("?", 1)[0] ?? "";
    if (headers["transfer-encoding"] === undefined || isExempt(pathname)) {
      return framework(request, response);
    }
    let body: Uint8Array;
    try {
      body = await readBodyBytes({ body: request.iterator({ destroyOnReturn: false }) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuseRequest(request, response, settings, error);
      return;
    }
    await framework(new WholeRequest(request, body), response);
  };
}

class WholeRequest extends IncomingMessage {
  constructor(read: IncomingMessage, body: Uint8Array) {
    super(read.socket);
    const {
      method,
      url,
      httpVersion,
      httpVersionMajor,
      httpVersionMinor,
      rawHeaders,
      trailers,
      rawTrailers,
    } = read;
    Object.assign(this, { method, url, httpVersion, httpVersionMajor, httpVersionMinor, rawHeaders });
    Object.assign(this, { trailers, rawTrailers, complete: true });
    this.headers = { ...read.headers, "content-length": String(body.byteLength) };
    delete this.headers["transfer-encoding"];
    this.push(body);
    this.push(null);
  }

  /** Leaves the connection open, because the request has been read completely. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error);
  }
}
