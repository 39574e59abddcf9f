import { get } from "node:http";
import { HttpSession } from "../kit/http-session.ts";
import { requestCode } from "./app.ts";
import type { RunningApp } from "./compared.ts";
import { quantile } from "./measure.ts";

/**
 * Milliseconds from the wallet's POST being answered to the event in the browser's stream, one login after the other.
 * Below zero where the event came first.
 */
export async function measurePush({ server, wallet }: RunningApp, times: number) {
  const delays: number[] = [];
  for (let time = 0; time < times; time++) {
    const browser = new HttpSession(server.url);
    const { sid, challenge } = await requestCode(browser);
    const stream = await openStream(server.url, sid, browser);
    await new HttpSession(server.url).expect(200, "/webhook/login", { json: wallet.response(challenge) });
    const answered = performance.now();
    delays.push((await stream.authenticatedAt) - answered);
  }
  delays.sort((a, b) => a - b);
  return { p50: quantile(delays, 0.5), p95: quantile(delays, 0.95) };
}

/** Opens a browser's stream; resolves once the first status has arrived. */
function openStream(
  url: string,
  sid: string,
  browser: HttpSession,
): Promise<{ authenticatedAt: Promise<number> }> {
  const path = new URL(`/api/svc/events?sid=${sid}`, url);
  return new Promise((resolve, reject) => {
    const { promise, resolve: tell, reject: fail } = Promise.withResolvers<number>();
    const request = get(path, { agent: false, headers: browser.headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`events: ${response.statusCode}`));
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        if (text.includes('"pending"')) resolve({ authenticatedAt: promise });
        if (text.includes('"authenticated"')) tell(performance.now());
      });
      response.on("end", () => fail(new Error("the stream ended without the event")));
    });
    request.on("error", reject);
    promise.catch(() => {});
  });
}
