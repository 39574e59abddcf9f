import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { registeredWallet, requestCode } from "../bench/app.ts";
import { Client } from "../kit/client.ts";
import { seconds, waitFor } from "../kit/waiting.ts";
import type { Scenario } from "./stage.ts";
import { Watcher } from "./watcher.ts";
import { openWorld } from "./world.ts";

const STREAMS = 100;
const LOOPS = 16;
const EXIT_MS = 10_000;
/** A request whose body is still on its way when the signal comes is ended this much later. */
const BODY_ENDS_AFTER_MS = 2_000;
/** By then a server that lives has taken a connection. */
const TAKEN_MS = 25;

export const sigterm: Scenario = {
  name: "sigterm",
  title: "SIGTERM under load, with open streams and requests in flight",
  async play(stage) {
    const world = await openWorld(stage);
    const app = await world.start();
    const wallet = await registeredWallet(app.url);
    const watchers = await Promise.all(
      Array.from({ length: STREAMS }, async () => {
        const browser = new Client(app.url);
        const { sid } = await requestCode(browser);
        const watcher = new Watcher(browser, sid);
        await watcher.until('"pending"', 5_000);
        return watcher;
      }),
    );
    const { sid } = await requestCode(new Client(app.url));
    const loops = [true, false].flatMap((keepAlive) =>
      Array.from(
        { length: LOOPS / 2 },
        () => new RequestLoop(`${app.url}/api/svc/check?sid=${sid}`, keepAlive),
      ),
    );
    const { challenge } = await requestCode(new Client(app.url));
    const slow = sendSlowly(app.url, JSON.stringify(wallet.response(challenge)));
    await sleep(1_500);

    const told = performance.now();
    app.process.kill("SIGTERM");
    const exited = once(app.process, "exit");
    const ended = await waitFor(() => watchers.every((watcher) => watcher.ended), EXIT_MS);
    await sleep(BODY_ENDS_AFTER_MS - (performance.now() - told));
    const answer = await slow.end();
    const [code] = await exited;
    const exit = performance.now() - told;
    const results = await Promise.all(loops.map((loop) => loop.result));

    stage.check("streams end at once", ended !== null, `${STREAMS} after ${seconds(ended?.ms ?? null)}`);
    stage.check(
      `a wallet response whose body ends ${seconds(BODY_ENDS_AFTER_MS)} later is accepted`,
      answer.startsWith("HTTP/1.1 200"),
      answer.split("\r\n", 1)[0] ?? "",
    );
    const sum = (pick: (result: (typeof results)[0]) => number) =>
      results.map(pick).reduce((a, b) => a + b, 0);
    stage.check(
      "every request that was accepted is answered",
      sum(({ broken }) => broken) === 0,
      `${sum(({ answered }) => answered)} answered, ${sum(({ broken }) => broken)} broken off, ` +
        `${sum(({ unsent }) => unsent)} on a connection that closed before it was taken or as they were sent`,
    );
    stage.check(
      "exit code 0 within 10 s",
      code === 0 && exit < EXIT_MS,
      `code ${code} after ${seconds(exit)}`,
    );
  },
};

/** A wallet response that stalls before the end of its body. */
function sendSlowly(origin: string, body: string) {
  const { port } = new URL(origin);
  const socket = connect(Number(port), "localhost");
  socket.setEncoding("latin1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => {});
  socket.write(
    "POST /webhook/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 20)}`,
  );
  return {
    async end(): Promise<string> {
      socket.write(body.slice(20));
      await waitFor(() => text.includes("\r\n\r\n") || socket.destroyed, 10_000);
      return text;
    },
  };
}

/** The outcome of one loop of requests. */
type LoopResult = {
  answered: number;
  /** Broken off by the other side, which had taken the connection and was sent the request. */
  broken: number;
  /**
   * On a connection that closed before or as the request was sent, and none of it read: HTTP leaves that to the
   * client, which sends it again on another (RFC 9112, 9.3.1).
   */
  unsent: number;
};

/** Asks for one URL again and again until the server takes no connection any more. */
class RequestLoop {
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
