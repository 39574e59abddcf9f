import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../kit/client.ts";
import { registeredWallet, requestCode } from "../kit/login.ts";
import { RawSocket } from "../kit/raw-socket.ts";
import { seconds, waitFor } from "../kit/waiting.ts";
import { openWaiting } from "../kit/watcher.ts";
import { post } from "./hostile-requests.ts";
import type { Scenario } from "./stage.ts";
import { World } from "./world.ts";

const STREAMS = 100;
const LOOPS = 16;
const EXIT_MS = 10_000;
/** The rest of a body that is on its way at the signal is sent this much later. */
const BODY_ENDS_AFTER_MS = 2_000;
/** How long a running server needs at most to accept a connection. */
const TAKEN_MS = 25;

export const sigterm: Scenario = {
  name: "sigterm",
  title: "SIGTERM under load, with open streams and requests in flight",
  async play(stage) {
    const world = await World.open(stage);
    const app = await world.start();
    const wallet = await registeredWallet(app.url);
    const waiting = await Promise.all(
      Array.from({ length: STREAMS }, () => openWaiting(new Client(app.url))),
    );
    const { sid, challenge } = await requestCode(new Client(app.url));
    const loops = Array.from({ length: LOOPS }, (_, index) =>
      askUntilRefused(`${app.url}/api/svc/check?sid=${sid}`, { keepAlive: index % 2 === 0 }),
    );
    const body = JSON.stringify(wallet.response(challenge));
    const slow = new RawSocket(app.url);
    await slow.write(post(`Content-Length: ${Buffer.byteLength(body)}\r\n`, body.slice(0, 20)));
    await sleep(1_500);

    const told = performance.now();
    app.process.kill("SIGTERM");
    const exited = once(app.process, "exit");
    const ended = await waitFor(() => waiting.every(({ watcher }) => watcher.ended), EXIT_MS);
    await sleep(BODY_ENDS_AFTER_MS - (performance.now() - told));
    await slow.write(body.slice(20));
    await waitFor(() => slow.text.includes("\r\n\r\n") || slow.openMs !== null, 10_000);
    const [code] = await exited;
    const exitMs = performance.now() - told;
    const outcomes = (await Promise.all(loops)).flat();

    stage.check("streams end at once", ended !== null, `${STREAMS} after ${seconds(ended?.ms ?? null)}`);
    stage.check(
      `a wallet response whose body ends ${seconds(BODY_ENDS_AFTER_MS)} later is accepted`,
      slow.statuses[0] === 200,
      slow.text.split("\r\n", 1)[0] ?? "",
    );
    const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
    stage.check(
      "every request that was accepted is answered",
      count("broken") === 0,
      `${count("answered")} answered, ${count("broken")} broken off, ` +
        `${count("unsent")} on a connection that closed before it was taken or as they were sent`,
    );
    stage.check(
      "exit code 0 within 10 s",
      code === 0 && exitMs < EXIT_MS,
      `code ${code} after ${seconds(exitMs)}`,
    );
  },
};

/**
 * A request's outcome. `broken`: the server accepted the connection and was sent the request, then broke off.
 * `unsent`: the connection closed before or as the request was sent, and none of it was read. HTTP leaves that to the
 * client, which sends it again on another connection (RFC 9112, 9.3.1). `refused`: nothing listens.
 */
type Outcome = "answered" | "broken" | "unsent" | "refused";

/**
 * Requests one URL repeatedly until the server accepts no more connections.
 * @param options.keepAlive uses one connection as long as the server allows it; otherwise a new one each time
 */
async function askUntilRefused(url: string, { keepAlive }: { keepAlive: boolean }): Promise<Outcome[]> {
  const agent = new Agent({ keepAlive, maxSockets: 1 });
  const outcomes: Outcome[] = [];
  while (outcomes.at(-1) !== "refused") outcomes.push(await ask(url, agent));
  return outcomes;
}

function ask(url: string, agent: Agent): Promise<Outcome> {
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
