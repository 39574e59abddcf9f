import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy that passes bytes on as they are, keeps what clients have sent, and can be as bad as any network. */
export type TcpProxy = {
  port: number;
  /** Everything that clients have sent so far. */
  sent(): string;
  /** From now on nothing gets through, neither bytes nor the end of a connection, until `heal`. */
  swallow(): void;
  /** From now on what the server says arrives this much later. */
  delay(ms: number): void;
  /**
   * Brings what was swallowed, in its order, and passes on again.
   * @returns when the server has ended the connections whose clients are gone: it has then done what they asked for
   */
  heal(): Promise<void>;
  close(): Promise<void>;
};

/** Starts a proxy in front of a server on this machine. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let sent = "";
  let swallowed: (() => void)[] | null = null;
  let delayMs = 0;
  const deliver = (act: () => void) => (swallowed ? void swallowed.push(act) : act());
  const deliverLater = (act: () => void) => {
    if (delayMs > 0) setTimeout(() => deliver(act), delayMs);
    else deliver(act);
  };
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("data", (chunk: Buffer) => {
      sent += chunk.toString("latin1");
      deliver(() => void upstream.write(chunk));
    });
    client.on("close", () => deliver(() => void upstream.end()));
    upstream.on("data", (chunk: Buffer) => deliverLater(() => void client.write(chunk)));
    upstream.on("close", () => deliverLater(() => void client.destroy()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    sent: () => sent,
    swallow() {
      swallowed ??= [];
    },
    delay(ms) {
      delayMs = ms;
    },
    async heal() {
      const acts = swallowed ?? [];
      swallowed = null;
      for (const act of acts) act();
      const ending = [...sockets].filter(({ writableEnded, closed }) => writableEnded && !closed);
      await Promise.all(ending.map((socket) => once(socket, "close")));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
