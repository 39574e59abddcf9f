import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listen } from "#tools/kit/start-server.ts";

/** Passes bytes on unchanged, stores what clients have sent, and can fail as networks do. */
export type TcpProxy = {
  port: number;
  sent(): string;
  /** Withholds all data, and the ends of connections, until `heal` is called. */
  swallow(): void;
  /**
   * Ends every connection, as if the server had been killed. The proxy still accepts new connections but passes on no
   * data. `revive` ends these connections too.
   */
  die(): void;
  revive(): void;
  /** For the server's data, from now on. */
  delay(ms: number): void;
  /**
   * Passes the withheld data on in order, and all further data immediately.
   * @returns a promise that resolves when the server has ended the connections of clients that are gone, so it has done
   * what they requested
   */
  heal(): Promise<void>;
  close(): Promise<void>;
};

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let sentText = "";
  let swallowedChunks: (() => void)[] | null = null;
  let delayMs = 0;
  let dead = false;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const deliver = (act: () => void) => (swallowedChunks ? void swallowedChunks.push(act) : act());
  const deliverLater = (act: () => void) => {
    if (delayMs > 0) setTimeout(() => deliver(act), delayMs);
    else deliver(act);
  };
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (dead) return;
    const upstream = connect(target.port, target.host);
    keep(upstream);
    client.on("data", (chunk: Buffer) => {
      sentText += chunk.toString("latin1");
      deliver(() => void upstream.write(chunk));
    });
    client.on("close", () => deliver(() => void upstream.end()));
    upstream.on("data", (chunk: Buffer) => deliverLater(() => void client.write(chunk)));
    upstream.on("close", () => deliverLater(() => void client.destroy()));
  });
  const port = await listen(server);
  return {
    port,
    sent: () => sentText,
    swallow() {
      swallowedChunks ??= [];
    },
    die() {
      dead = true;
      endAll();
    },
    revive() {
      dead = false;
      endAll();
    },
    delay(ms) {
      delayMs = ms;
    },
    async heal() {
      const acts = swallowedChunks ?? [];
      swallowedChunks = null;
      for (const act of acts) act();
      const endingSockets = [...sockets].filter(({ writableEnded, closed }) => writableEnded && !closed);
      await Promise.all(endingSockets.map((socket) => once(socket, "close")));
    },
    async close() {
      endAll();
      server.close();
      await once(server, "close");
    },
  };
}
