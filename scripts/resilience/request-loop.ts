import { Agent, request } from "node:http";

/** The outcome of one loop of requests. */
export type LoopResult = {
  answered: number;
  /** Broken off by the other side, which had taken the connection and was sent the request. */
  broken: number;
  /**
   * On a connection that closed before or as the request was sent, and none of it read: HTTP leaves that to the
   * client, which sends it again on another (RFC 9112, 9.3.1).
   */
  unsent: number;
};

/** By then a server that lives has taken a connection. */
const TAKEN_MS = 25;

/** Asks for one URL again and again until the server takes no connection any more. */
export class RequestLoop {
  readonly result: Promise<LoopResult>;

  /** @param keepAlive uses one connection as long as the server lets it; else a new one each time */
  constructor(url: string, keepAlive: boolean) {
    this.result = this.#run(url, new Agent({ keepAlive, maxSockets: 1 }));
  }

  async #run(url: string, agent: Agent): Promise<LoopResult> {
    const result: LoopResult = { answered: 0, broken: 0, unsent: 0 };
    for (;;) {
      const outcome = await ask(url, agent);
      if (outcome === "refused") return result;
      result[outcome]++;
    }
  }
}

function ask(url: string, agent: Agent): Promise<keyof LoopResult | "refused"> {
  return new Promise((resolve) => {
    let sentOnTaken = false;
    const sent = request(url, { agent }, (response) => {
      response.resume();
      response.on("end", () => resolve("answered"));
      response.on("error", () => resolve("broken"));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") resolve("refused");
      else resolve(sentOnTaken ? "broken" : "unsent");
    });
    sent.on("socket", (socket) => {
      if (!socket.connecting) return sent.end();
      socket.once("connect", () => {
        setTimeout(() => {
          sentOnTaken = true;
          sent.end();
        }, TAKEN_MS);
      });
    });
  });
}
