import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { ERROR_STATUS, type ErrorCode } from "#lib/login/http/api-error.ts";
import { HEADERS_TOO_LARGE, URI_TOO_LONG } from "#lib/login/http/check-request.ts";
import { URI_LIMIT_BYTES } from "#lib/login/http/numbers.ts";
import type { HeaderSettings } from "#lib/login/http/security-headers.ts";
import { type Refused, refusal } from "./refusal.ts";

/** What Node's parser reports about bytes that are no request. */
export type ClientError = { code?: string; rawPacket?: Buffer };

/** Answers bytes that never became a request: no HTTP, or headers that stall or are too large. */
export function answerClientError(error: ClientError, settings: HeaderSettings): string {
  const refused = readPacket(error.rawPacket);
  const { status, code, message } = explain(error, refused);
  const { headers, body } = refusal(code, message, refused, settings);
  const all = { ...headers, "X-Request-Id": randomUUID(), Connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n");
}

function explain(
  { code }: ClientError,
  { url }: Refused,
): { status: number; code: ErrorCode; message: string } {
  if (code === "HPE_HEADER_OVERFLOW") {
    const excess = url.length > URI_LIMIT_BYTES ? URI_TOO_LONG : HEADERS_TOO_LARGE;
    return { status: ERROR_STATUS[excess.code], ...excess };
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { status: 408, code: "invalid_request", message: "The request did not arrive in time." };
  }
  return { status: 400, code: "invalid_request", message: "The request is not valid HTTP." };
}

/** The target and the `Accept` header, if the bytes begin like a request. */
function readPacket(packet: Buffer | undefined): Refused {
  const text = packet?.toString("latin1") ?? "";
  const url = /^[A-Z-]+ ([^ \r\n]*)/.exec(text)?.[1] ?? "";
  const accept = /\r\naccept:([^\r\n]*)/i.exec(text)?.[1];
  return accept === undefined ? { url } : { url, accept };
}
