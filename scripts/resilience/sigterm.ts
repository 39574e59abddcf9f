import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { registeredWallet, requestCode } from "../bench/app.ts";
import { HttpSession } from "../bench/http-session.ts";
import { RequestLoop } from "./request-loop.ts";
import type { Scenario } from "./stage.ts";
import { seconds, waitFor } from "./waiting.ts";
import { Watcher } from "./watcher.ts";
import { openWorld } from "./world.ts";

const STREAMS = 100;
const LOOPS = 16;
const EXIT_MS = 10_000;
/** A request whose body is still on its way when the signal comes is ended this much later. */
const BODY_ENDS_AFTER_MS = 2_000;

export const sigterm: Scenario = {
  name: "sigterm",
  title: "SIGTERM under load, with open streams and requests in flight",
  async play(stage) {
    const world = await openWorld(stage);
    const app = await world.start();
    const wallet = await registeredWallet(app.url);
    const watchers = await Promise.all(
      Array.from({ length: STREAMS }, async () => {
        const browser = new HttpSession(app.url);
        const { sid } = await requestCode(browser);
        const watcher = new Watcher(app.url, browser, sid);
        await watcher.until('"pending"', 5_000);
        return watcher;
      }),
    );
    const { sid } = await requestCode(new HttpSession(app.url));
    const loops = [true, false].flatMap((keepAlive) =>
      Array.from(
        { length: LOOPS / 2 },
        () => new RequestLoop(`${app.url}/api/svc/check?sid=${sid}`, keepAlive),
      ),
    );
    const { challenge } = await requestCode(new HttpSession(app.url));
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
