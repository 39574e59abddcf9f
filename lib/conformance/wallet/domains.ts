import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Where wallets ask a name that means this machine (docs/protocol.md#91-the-file). */
const PORT = 80;

/** One name below `localhost`, and who asked for its file. */
export type Domain = {
  name: string;
  asked: { path: string; method: string; headers: IncomingHttpHeaders }[];
};

/** How a domain answers for its file. */
export type FileAnswering = (response: ServerResponse, path: string) => void;

/** Domains on this machine, each with a delegation file of its own. Wallets keep what they read: no name comes twice. */
export class Domains {
  readonly #server: Server;
  readonly #published = new Map<string, { domain: Domain; answer: FileAnswering }>();
  readonly port: number;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on("request", ({ headers, url = "", method = "" }, response) => {
      const found = this.#published.get((headers.host ?? "").replace(/:\d+$/, ""));
      if (!found) return void response.writeHead(404).end();
      found.domain.asked.push({ path: url, method, headers });
      found.answer(response, url);
    });
  }

  /** @throws where the port cannot be had */
  static async open(port = PORT): Promise<Domains> {
    const server = createServer();
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return new Domains(server);
  }

  publish(name: string, answer: FileAnswering): Domain {
    const domain: Domain = { name, asked: [] };
    this.#published.set(name, { domain, answer });
    return domain;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A name below `localhost` that nobody has asked for. */
export function newName(what: string): string {
  return `${what}-${randomBytes(5).toString("hex")}.localhost`;
}
