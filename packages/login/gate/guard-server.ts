import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { BODY_DEADLINE_SECONDS } from "../http/numbers.ts";
import { onStopping } from "../process/state.ts";
import { type ClientError, renderClientErrorResponse } from "./refusal.ts";
import type { GateSettings } from "./settings.ts";

const HEADERS_DEADLINE_SECONDS = 10;
/**
 * Load balancers close idle connections sooner, so they never send a request on a connection that this server has just
 * closed.
 */
const KEEP_ALIVE_SECONDS = 65;

const LINGER_MS = 1_000;
/** Applies to a body whose request has already been answered. */
const DISCARD_LIMIT_BYTES = 16 * 1024 * 1024;
const DISCARD_CHECK_MS = 50;
/** On one connection. */
const PIPELINE_LIMIT = 250;
/** A client that is not reading its response is disconnected at the second check. */
const STALLED_SECONDS = 12;

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type Guard = {
  settings: GateSettings;
  /**
   * Answers a request that must not reach the handler, and returns true. Otherwise, prepares the request and returns
   * false.
   */
  pass: (request: IncomingMessage, response: ServerResponse) => boolean;
  handler: Handler;
  /** While the process is stopping, each response closes its connection. */
  isStopping: () => boolean;
  /** False if bodies can be larger than 64 KB, because they can then take longer than 10 s to arrive. */
  hasShortBodies?: boolean;
  /** Also called for requests that the gate answers. */
  around?: (begin: Begin) => Begin;
};

export function guardServer(
  server: Server,
  { settings, pass, handler, isStopping, hasShortBodies = true, around = (begin) => begin }: Guard,
): void {
  // The connections whose last request was answered before its body had arrived completely.
  const answeredEarly = new WeakSet<Duplex>();
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    // Read the socket now. If the framework does not read the request's body, it detaches the socket from the request.
    const { socket } = request;
    answeredEarly.delete(socket);
    // Make the client send its next request to a different process.
    if (isStopping()) response.setHeader("Connection", "close");
    // A response that began before the stop, such as a stream, has not sent `Connection: close`, so close its
    // connection here.
    response.once("close", () => {
      if (isStopping() && !isAnswering(socket)) socket.end();
    });
    response.once("finish", () => {
      if (request.complete) return;
      answeredEarly.add(socket);
      discardRest(request, socket);
    });
    if (pass(request, response)) return;
    handler(request, response).catch(() => response.destroy());
  };
  const { answer, isAnswering } = inTurn(around(begin));
  server.removeAllListeners("request").on("request", answer);
  server.headersTimeout = HEADERS_DEADLINE_SECONDS * 1000;
  // This deadline is longer than the body reader's own, so that the reader can refuse the request with a reason.
  if (hasShortBodies) server.requestTimeout = (HEADERS_DEADLINE_SECONDS + BODY_DEADLINE_SECONDS) * 1000;
  // The operator may have configured a longer time (`next start --keepAliveTimeout`).
  server.keepAliveTimeout = Math.max(server.keepAliveTimeout, KEEP_ALIVE_SECONDS * 1000);
  // Handlers can take a long time, and streams can be silent for a long time. Disconnect only clients that do not read
  // their responses.
  server.setTimeout(STALLED_SECONDS * 1000, (socket) => {
    if (!isAnswering(socket) || socket.writableLength > 0) socket.destroy();
  });
  // A server may ignore any expectation other than 100-continue (RFC 9110, 10.1.1).
  server.on("checkExpectation", answer);
  // Node.js would silently drop headers beyond its own limit, but the gate must count them to refuse the request.
  server.maxHeadersCount = 0;
  const lingering = new WeakSet<Duplex>();
  server.on("clientError", (error: ClientError, socket: Duplex) => {
    // The client is still sending the refused input. Closing the connection immediately would discard the response.
    if (lingering.has(socket) && error.code !== "ECONNRESET") return;
    // The client would mistake a second response for the response to its next request.
    if (error.code === "ECONNRESET" || !socket.writable || answeredEarly.has(socket)) {
      socket.destroy();
      return;
    }
    lingering.add(socket);
    socket.end(renderClientErrorResponse(error, settings));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    socket.end(renderClientErrorResponse({ code: "CONNECT" }, settings));
  });
}

/** The server itself no longer tracks upgraded connections. */
export function closeUpgradedConnections(server: Server): void {
  server.on("upgrade", (_request: IncomingMessage, socket: Duplex) => {
    socket.once(
      "close",
      onStopping(() => void socket.destroy()),
    );
  });
}

/**
 * Closing the connection instead would reset it, and a client that is still sending would never see its response (RFC
 * 9112, 9.6). Leaving the body unread would block the next request on the connection. If the body is too long, the
 * connection is closed.
 */
function discardRest(request: IncomingMessage, socket: Socket): void {
  // The framework destroys a request whose body it does not read. The rest of the body can then no longer be read, so
  // end the connection.
  if (request.destroyed) socket.end();
  else request.removeAllListeners("data").removeAllListeners("readable").resume();
  const end = socket.bytesRead + DISCARD_LIMIT_BYTES;
  // Node.js emits no event for discarded bytes, so check at intervals how many have arrived.
  const watch = setInterval(() => {
    if (socket.bytesRead > end) socket.destroy();
    if (request.complete || socket.destroyed) clearInterval(watch);
  }, DISCARD_CHECK_MS);
}

type Begin = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Without turns, requests behind a response that the client does not read would hold files and memory without noticing
 * that the connection is gone. A connection with too many waiting requests is closed.
 */
function inTurn(begin: Begin): { answer: Begin; isAnswering: (socket: Duplex) => boolean } {
  // The waiting requests of each connection that has a request in progress.
  const turns = new WeakMap<Duplex, (() => void)[]>();
  const handleRequest: Begin = (request, response) => {
    const { socket } = request;
    response.once("close", () => {
      const next = socket.destroyed ? undefined : turns.get(socket)?.shift();
      if (next) next();
      else turns.delete(socket);
    });
    begin(request, response);
  };
  return {
    answer(request, response) {
      const { socket } = request;
      const waitingTurns = turns.get(socket);
      if (!waitingTurns) {
        turns.set(socket, []);
        handleRequest(request, response);
      } else if (waitingTurns.length < PIPELINE_LIMIT) {
        waitingTurns.push(() => handleRequest(request, response));
      } else {
        socket.destroy();
      }
    },
    isAnswering: (socket) => turns.has(socket),
  };
}
