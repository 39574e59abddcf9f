import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { listen } from "#tools/kit/start-server.ts";

/** Maps host names to ports on this machine, for programs whose settings name a proxy. */
export type NameProxy = {
  url: string;
  /** The local ports, keyed by host name and port, such as `shop.example:443`. */
  ports: Map<string, number>;
  /** `host:port` of every connection and request so far. */
  asked: string[];
  close(): Promise<void>;
};

/** Refuses unknown names, except `localhost`. Knows no names at first. */
export async function startNameProxy(): Promise<NameProxy> {
  const ports = new Map<string, number>();
  const requests: string[] = [];
  const sockets = new Set<Duplex>();
  const portOf = (host: string, standard: number): number | undefined => {
    const name = host.includes(":") ? host : `${host}:${standard}`;
    requests.push(name);
    const [hostname, port] = name.split(":");
    return ports.get(name) ?? (hostname === "localhost" ? Number(port) : undefined);
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "");
    const port = portOf(url.host, 80);
    if (port === undefined) return void response.writeHead(502).end();
    const { method, headers } = request;
    const path = url.pathname + url.search;
    const onward = forward({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  server.on("connection", (socket) => track(sockets, socket));
  server.on("connect", (request, socket, head) => {
    const port = portOf(request.url ?? "", 443);
    if (port === undefined) return void socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    track(sockets, onward);
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  const listening = await listen(server);
  return {
    url: `http://127.0.0.1:${listening}`,
    ports,
    asked: requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function track(sockets: Set<Duplex>, socket: Duplex): void {
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
}
