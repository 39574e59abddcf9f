import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { BODY_DEADLINE_SECONDS } from "../http/numbers.ts";
import { onStopping } from "../process/state.ts";
import { answerClientError, type ClientError } from "./refusal.ts";
import type { GateSettings } from "./settings.ts";

const HEADERS_DEADLINE_SECONDS = 10;
/**
 * Longer than load balancers keep an idle connection, so that they never send a request on one that this server has
 * closed.
 */
const KEEP_ALIVE_SECONDS = 65;

/** How long a connection is still read after the client has sent something that is not a request. */
const LINGER_MS = 1_000;
/** How much of a body is read and discarded after its request was answered. */
const DISCARD_LIMIT_BYTES = 16 * 1024 * 1024;
const DISCARD_CHECK_MS = 50;
/** The number of requests that can wait on one connection. */
const PIPELINE_LIMIT = 250;
/** The interval of a check. A client that does not read its response is disconnected at the second check. */
const STALLED_SECONDS = 12;

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The checks in front of a server. */
export type Guard = {
  settings: GateSettings;
  /** Answers a request that may not pass, and returns true. Otherwise, prepares the request for the handler. */
  pass: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Answers the requests that pass, instead of the handlers that the server had. */
  handler: Handler;
  /** Returns whether each response should close its connection, because the process is stopping. */
  isStopping: () => boolean;
  /** False if bodies may be larger than 64 KB, which can take longer than 10 s to arrive. */
  hasShortBodies?: boolean;
  /** Wraps the response to each request, from the gate or the framework. */
  around?: (begin: Begin) => Begin;
};

/** Puts the gate in front of a server, and ends stalled connections. */
export function guardServer(
  server: Server,
  { settings, pass, handler, isStopping, hasShortBodies = true, around = (begin) => begin }: Guard,
): void {
  // Connections whose last request was answered before its body had arrived completely.
  const answeredEarly = new WeakSet<Duplex>();
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    // Read the socket now, because the framework removes it from a request whose body it does not read.
    const { socket } = request;
    answeredEarly.delete(socket);
    // The client should send its next request to a different process.
    if (isStopping()) response.setHeader("Connection", "close");
    // A response that began before the stop, such as a stream, has promised to keep its connection.
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
  // This is later than the body reader's own deadline, because the reader can report the reason.
  if (hasShortBodies) server.requestTimeout = (HEADERS_DEADLINE_SECONDS + BODY_DEADLINE_SECONDS) * 1000;
  // The operator may have configured a longer time (`next start --keepAliveTimeout`).
  server.keepAliveTimeout = Math.max(server.keepAliveTimeout, KEEP_ALIVE_SECONDS * 1000);
  // A handler may take long, and a stream may be silent for long, but a client that does not read its response is
  // disconnected.
  server.setTimeout(STALLED_SECONDS * 1000, (socket) => {
    if (!isAnswering(socket) || socket.writableLength > 0) socket.destroy();
  });
  // Any expectation other than 100-continue may be ignored (RFC 9110, 10.1.1).
  server.on("checkExpectation", answer);
  // Node.js would silently drop headers beyond its own limit. The gate counts them and refuses the request.
  server.maxHeadersCount = 0;
  const lingering = new WeakSet<Duplex>();
  server.on("clientError", (error: ClientError, socket: Duplex) => {
    // The client is still sending the refused body. Closing immediately would discard the response.
    if (lingering.has(socket) && error.code !== "ECONNRESET") return;
    // The client would mistake a second response for the response to its next request.
    if (error.code === "ECONNRESET" || !socket.writable || answeredEarly.has(socket)) {
      socket.destroy();
      return;
    }
    lingering.add(socket);
    socket.end(answerClientError(error, settings));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    socket.end(answerClientError({ code: "CONNECT" }, settings));
  });
}

/**
 * Ends upgraded connections when the process stops. They no longer belong to the server, so it would not close them
 * itself.
 */
export function closeUpgradedConnections(server: Server): void {
  server.on("upgrade", (_request: IncomingMessage, socket: Duplex) => {
    socket.once(
      "close",
      onStopping(() => void socket.destroy()),
    );
  });
}

/**
 * Reads and discards the rest of a body whose request was answered. Closing instead would reset the connection of a
 * client that is still sending, which would then never see its response (RFC 9112, 9.6). If the body were not read, the
 * next request on that connection would wait behind it. A body that does not end is cut off.
 */
function discardRest(request: IncomingMessage, socket: Socket): void {
  // The framework destroys a request whose body it does not read. The rest cannot be read, so end this side.
  if (request.destroyed) socket.end();
  else request.removeAllListeners("data").removeAllListeners("readable").resume();
  const end = socket.bytesRead + DISCARD_LIMIT_BYTES;
  // There is no event for discarded bytes.
  const watch = setInterval(() => {
    if (socket.bytesRead > end) socket.destroy();
    if (request.complete || socket.destroyed) clearInterval(watch);
  }, DISCARD_CHECK_MS);
}

type Begin = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Handles the requests on a connection one at a time, each after the previous one is answered. Otherwise, requests
 * behind a response that the client does not read would hold files and memory, and never notice that the connection is
 * gone. A connection with too many waiting requests is closed.
 */
function inTurn(begin: Begin): { answer: Begin; isAnswering: (socket: Duplex) => boolean } {
  // For each connection with a request in progress, the requests that wait behind it.
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
