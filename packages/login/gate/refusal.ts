import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { HEADERS_TOO_LARGE, URI_TOO_LONG } from "../http/check-request.ts";
import { URI_LIMIT_BYTES } from "../http/numbers.ts";
import { renderPlainPage } from "../http/plain-page.ts";
import { createResponseSecurityHeaders } from "../http/security-headers.ts";
import { ERROR_STATUS, type ErrorCode, errorBody } from "../protocol/errors.ts";
import type { GateSettings, RefusalFormat } from "./settings.ts";

const HEADINGS: Partial<Record<ErrorCode, string>> = {
  uri_too_long: "This address is too long",
  headers_too_large: "Your browser sent too much data",
};
const START_PAGE = { text: "Go to the start page", href: "/" };

type Refusal = { status: number; headers: Record<string, string>; body: string };

type RefusedRequest = { url: string; accept?: string };

/** Paths of endpoints have an error format. On other paths, browsers get a page, and other clients get JSON. */
export function renderRefusal(
  code: ErrorCode,
  message: string,
  refused: RefusedRequest,
  settings: GateSettings,
): Refusal {
  const format = settings.refusalFormatOf(meaningOf(refused.url.split("?", 1)[0] ?? ""));
  const { contentType, body } = render(
    code,
    message,
    format,
    /text\/html/.test(refused.accept ?? "") ? settings.origin.hostname : null,
  );
  return {
    status: ERROR_STATUS[code],
    headers: {
      ...Object.fromEntries(createResponseSecurityHeaders(settings, format.errors ? "api" : "page").headers),
      "Content-Type": contentType,
      "Content-Length": String(Buffer.byteLength(body)),
      "Cache-Control": "no-store",
      // Wallets that run in a browser must also be able to read this response.
      ...(format.cors ? { "Access-Control-Allow-Origin": "*" } : {}),
    },
    body,
  };
}

function render(code: ErrorCode, message: string, { errors }: RefusalFormat, pageOf: string | null) {
  if (!errors && pageOf !== null) {
    const heading = HEADINGS[code] ?? "This request cannot be answered";
    return {
      contentType: "text/html; charset=utf-8",
      body: renderPlainPage(heading, message, START_PAGE, { name: pageOf }),
    };
  }
  if (errors === "text") return { contentType: "text/plain; charset=utf-8", body: `Error: ${message}\n` };
  const body = errors === "message" ? { error: message } : errorBody(code, message);
  return { contentType: "application/json", body: JSON.stringify(body) };
}

// All encodings of a path are treated alike. A path that cannot be decoded is returned unchanged.
function meaningOf(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export type ClientError = { code?: string; rawPacket?: Buffer };

/** The input is not HTTP, or its headers are too large or arrive too late. */
export function renderClientErrorResponse(error: ClientError, settings: GateSettings): string {
  const packet = readPacket(error.rawPacket);
  const { status, code, message } = explain(error, packet);
  const { headers, body } = renderRefusal(code, message, packet, settings);
  const all = { ...headers, "X-Request-Id": randomUUID(), Connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n");
}

function explain(
  { code }: ClientError,
  { url }: RefusedRequest,
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

function readPacket(packet: Buffer | undefined): RefusedRequest {
  const text = packet?.toString("latin1") ?? "";
  const url = /^[A-Z-]+ ([^ \r\n]*)/.exec(text)?.[1] ?? "";
  const accept = /\r\naccept:([^\r\n]*)/i.exec(text)?.[1];
  return accept === undefined ? { url } : { url, accept };
}
