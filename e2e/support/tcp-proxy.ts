import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy that passes bytes on as they are, and keeps what clients have sent. */
export type TcpProxy = {
  port: number;
  /** Everything that clients have sent so far. */
  sent(): string;
  close(): Promise<void>;
};

/** Starts a proxy in front of a server on this machine. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let sent = "";
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => sockets.delete(one) && other.destroy());
    }
    client.on("data", (chunk: Buffer) => (sent += chunk.toString("latin1")));
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    sent: () => sent,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
