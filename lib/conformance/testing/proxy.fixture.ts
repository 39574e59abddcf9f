import { Agent, createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { listen } from "./reference.fixture.ts";

/** An answer on its way through a proxy. */
export type Passing = {
  path: string;
  method: string;
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
};

/** Headers of one connection, or made anew for the changed body. */
const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding", "content-length"];

/** Stands in front of a site and passes everything on; answers may change on the way. Streams go as they come. */
export async function startProxy(behind: () => URL, change: (answer: Passing) => Passing) {
  const agent = new Agent({ keepAlive: true });
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (incoming, outgoing) => {
    const { method = "GET", url: path = "/", headers } = incoming;
    const { port } = behind();
    const to = { agent, hostname: "127.0.0.1", port, method, path, headers };
    const forwarded = request(to, async (received) => {
      const { statusCode: status = 500 } = received;
      const kept = withoutHops(received.headers);
      if (kept["content-type"] === "text/event-stream") {
        received.pipe(outgoing.writeHead(status, kept));
        return;
      }
      const parts: Buffer[] = [];
      for await (const part of received) parts.push(part);
      const body = Buffer.concat(parts).toString("utf8");
      const changed = change({ path: path.split("?")[0] ?? "", method, status, headers: kept, body });
      outgoing.writeHead(changed.status, changed.headers).end(method === "HEAD" ? "" : changed.body);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  const { origin, close } = await listen(server);
  return {
    origin,
    close() {
      agent.destroy();
      close();
    },
  };
}

function withoutHops(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
}
