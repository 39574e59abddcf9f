import { Client } from "../kit/client.ts";
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
    const browser = new Client(server.url);
    const { sid, challenge } = await requestCode(browser);
    const stream = await openStream(browser, sid);
    await new Client(server.url).expect(200, "/webhook/login", { json: wallet.response(challenge) });
    const answered = performance.now();
    delays.push((await stream.authenticatedAt) - answered);
  }
  delays.sort((a, b) => a - b);
  return { p50: quantile(delays, 0.5), p95: quantile(delays, 0.95) };
}

/** Opens a browser's stream; resolves once the first status has arrived. */
async function openStream(browser: Client, sid: string): Promise<{ authenticatedAt: Promise<number> }> {
  const stream = await browser.open(`/api/svc/events?sid=${sid}`);
  if (stream.statusCode !== 200) throw new Error(`events: ${stream.statusCode}`);
  const { promise: authenticatedAt, resolve: tell, reject: fail } = Promise.withResolvers<number>();
  authenticatedAt.catch(() => {});
  return new Promise((resolve) => {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      if (text.includes('"pending"')) resolve({ authenticatedAt });
      if (text.includes('"authenticated"')) tell(performance.now());
    });
    stream.on("error", fail).on("end", () => fail(new Error("the stream ended without the event")));
  });
}
