import { Agent, request } from "node:http";

/** What one loop of requests came to. */
export type LoopResult = {
  answered: number;
  /** Broken off by the other side after it had the request. */
  broken: number;
  /**
   * Sent on a kept connection at the moment at which the other side closed it, and none of it read: HTTP leaves that
   * to the client, which sends it again (RFC 9112, 9.3.1).
   */
  unsent: number;
};

/** Asks for one URL again and again until the server takes no connection any more. */
export class RequestLoop {
  readonly result: Promise<LoopResult>;

  /** @param keepAlive uses one connection as long as the server lets it */
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
    const sent = request(url, { agent }, (response) => {
      response.resume();
      response.on("end", () => resolve("answered"));
      response.on("error", () => resolve("broken"));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") resolve("refused");
      else resolve(sent.reusedSocket ? "unsent" : "broken");
    });
    sent.end();
  });
}
