import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Requests that may wait on one connection. */
const PIPELINE_LIMIT = 250;

type Begin = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Begins the requests of one connection one after the other, each when the previous one is answered. Otherwise
 * requests behind an answer that the client does not read would hold files and memory, and never notice that the
 * connection is gone. A connection with too many waiting requests is closed.
 */
export function inTurn(begin: Begin): { answer: Begin; isAnswering: (socket: Duplex) => boolean } {
  // Requests that wait for the one before; no entry where none is under way.
  const turns = new WeakMap<Duplex, (() => void)[]>();
  const beginNow: Begin = (request, response) => {
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
      const waiting = turns.get(socket);
      if (!waiting) {
        turns.set(socket, []);
        beginNow(request, response);
      } else if (waiting.length < PIPELINE_LIMIT) {
        waiting.push(() => beginNow(request, response));
      } else {
        socket.destroy();
      }
    },
    isAnswering: (socket) => turns.has(socket),
  };
}
