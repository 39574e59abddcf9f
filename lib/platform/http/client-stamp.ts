import { randomBytes, randomUUID } from "node:crypto";
import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import { processSingleton } from "#lib/platform/process-singleton.ts";
import { ApiError } from "./api-error.ts";
import { clientAddress } from "./client-address.ts";

/** Headers that the gate hands to the handlers behind it; a client's own are dropped there. */
export const REQUEST_ID = "x-request-id";
export const CLIENT_ADDRESS = "x-client-address";

/**
 * The client's address, on its way from the socket to a handler that sees headers only. It travels in a header, stamped
 * with a word that only this process knows: a client that sends the header itself is not believed.
 */
const word = processSingleton("client-stamp", () => randomBytes(16).toString("hex"));

/** The value of the header for a client. */
export function clientStamp(address: string): string {
  return `${word()} ${address}`;
}

/** The client's address; null for a request that nobody stamped, whatever header its client sent. */
export function readClientStamp(header: string | null): string | null {
  const [sent, address] = (header ?? "").split(" ");
  return sent === word() && address ? address : null;
}

/**
 * The client that sends a request, where every request is stamped.
 * @throws {ApiError} 503 for one that arrived before its server was guarded: it would pass without limits
 */
export function requireClient({ headers }: { headers: SentHeaders }): string {
  const address = readClientStamp(headers.get(CLIENT_ADDRESS));
  if (address !== null) return address;
  throw new ApiError("service_unavailable", "The service is starting. Try again in a moment.", {
    headers: { "Retry-After": "1" },
  });
}

/**
 * Gives a request its id and its client's address, in headers that its client cannot set.
 * @param trustedProxies how many proxies stand in front, whose `X-Forwarded-For` is believed
 */
export function stampRequest(
  { headers, socket }: IncomingMessage,
  requestId: string,
  trustedProxies: number,
): void {
  const forwardedFor = String(headers["x-forwarded-for"] ?? "");
  headers[CLIENT_ADDRESS] = clientStamp(clientAddress(socket.remoteAddress, forwardedFor, trustedProxies));
  headers[REQUEST_ID] = requestId;
}

const watching = processSingleton("client-stamp-watch", () => ({ begun: false, trustedProxies: 0 }));

/**
 * From now on every request that reaches an HTTP server of this process is stamped, and gets an id, before anybody else
 * sees it. For a site whose server is the framework's own.
 * @param trustedProxies how many proxies stand in front, whose `X-Forwarded-For` is believed
 */
export function stampRequests(trustedProxies: number): void {
  watching().trustedProxies = trustedProxies;
  if (watching().begun) return;
  watching().begun = true;
  diagnostics.subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    stampRequest(request, randomUUID(), watching().trustedProxies);
  });
}
