import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "./start-server.ts";
import { waitFor } from "./waiting.ts";

/** A request as it arrived. The body consists of raw bytes. */
export type ReceivedRequest = {
  at: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
};

/** Can leave the response open or close the connection. */
export type Behaviour = (
  response: ServerResponse,
  request: IncomingMessage,
  received: ReceivedRequest,
) => unknown;

/** A real HTTP server, like a customer's. It can fail as the test wants. */
export type Receiver = {
  /** The URL, such as `http://127.0.0.1:5000`. */
  url: string;
  port: number;
  received: ReceivedRequest[];
  on(path: string, behaviour: Behaviour): void;
  /** Counted from 1. */
  nth(path: string, count: number, timeoutMs?: number): Promise<ReceivedRequest>;
  close(): Promise<void>;
};

const noContent: Behaviour = (response) => response.writeHead(204).end();

/**
 * Starts a receiver that listens on `host`.
 * @param defaultBehaviour how the receiver responds at paths that were not set with `on`; the default is a 204
 */
export async function startReceiver(
  host = "127.0.0.1",
  port = 0,
  defaultBehaviour: Behaviour = noContent,
): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const behaviours = new Map<string, Behaviour>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? "";
    const item: ReceivedRequest = {
      at: Date.now(),
      method: request.method ?? "",
      path,
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: Buffer.concat(chunks),
    };
    received.push(item);
    (behaviours.get(path) ?? defaultBehaviour)(response, request, item);
  });
  const listening = await listen(server, host, port);
  return {
    url: `http://${host}:${listening}`,
    port: listening,
    received,
    on: (path, behaviour) => void behaviours.set(path, behaviour),
    async nth(path, count, timeoutMs = 20_000) {
      const find = () => received.filter((one) => one.path === path)[count - 1] ?? false;
      const found = await waitFor(find, timeoutMs);
      if (!found) throw new Error(`${path} was not asked ${count} times`);
      return found.value;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
