import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  findRequestFault,
  INVALID_TARGET_MESSAGE,
  parseRequestTarget,
  type RequestTarget,
} from "../http/check-request.ts";
import { stampRequest } from "../http/client-address.ts";
import { BODY_LIMIT_BYTES } from "../http/numbers.ts";
import type { ErrorCode } from "../protocol/errors.ts";
import { redirectToOrigin } from "./redirect-to-origin.ts";
import { renderRefusal } from "./refusal.ts";
import type { GateSettings } from "./settings.ts";
import { rewriteTargetToOriginForm } from "./target.ts";

/**
 * Adds the request's id and the client's address as headers that the client cannot forge.
 * @returns the request's target, or null if the request has been answered
 */
export function checkRequestHead(
  request: IncomingMessage,
  response: ServerResponse,
  settings: GateSettings,
): RequestTarget | null {
  const requestId = randomUUID();
  response.setHeader("x-request-id", requestId);
  const refuseWith = (code: ErrorCode, message: string): null => {
    refuseRequest(request, response, settings, { code, message });
    return null;
  };
  // Check the size first, because every later step costs more for a larger request.
  const excess = findRequestFault(request);
  if (excess) return refuseWith(excess.code, excess.message);
  rewriteTargetToOriginForm(request, settings.origin);
  const target = parseRequestTarget(request.url ?? "");
  if (!target) return refuseWith("invalid_request", INVALID_TARGET_MESSAGE);
  if (request.httpVersion === "1.1" && request.headers.host === undefined) {
    return refuseWith("invalid_request", "The Host header is missing.");
  }
  // Node.js keeps only the first `Host` header, but a proxy might have used another one.
  const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1) return refuseWith("invalid_request", "Send only one Host header.");
  stampRequest(request, requestId, settings.trustedProxies);
  return redirectToOrigin(request, response, settings) ? null : target;
}

export function refuseRequest(
  { url = "", headers }: IncomingMessage,
  response: ServerResponse,
  settings: GateSettings,
  { code, message }: { code: ErrorCode; message: string },
): true {
  const answer = renderRefusal(code, message, { url, accept: headers.accept }, settings);
  response.writeHead(answer.status, answer.headers).end(answer.body);
  return true;
}

export function refuseMethod(
  request: IncomingMessage,
  response: ServerResponse,
  settings: GateSettings,
  methods: readonly string[],
): true {
  response.setHeader("Allow", methods.join(", "));
  const message = `This URL accepts only ${methods.join(", ")}.`;
  return refuseRequest(request, response, settings, { code: "method_not_allowed", message });
}

export function findBodyFault({ headers }: IncomingMessage): { code: ErrorCode; message: string } | null {
  if (Number(headers["content-length"] ?? 0) <= BODY_LIMIT_BYTES) return null;
  return { code: "payload_too_large", message: `A body can have up to ${BODY_LIMIT_BYTES} bytes.` };
}
