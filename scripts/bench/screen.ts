import { type Browser, chromium } from "playwright";
import { z } from "zod";
import { Client } from "../kit/client.ts";
import { findBrowser } from "../test/find-browser.ts";
import type { RunningApp } from "./compared.ts";
import { quantile } from "./measure.ts";

const Qr = z.object({ challenge: z.string() });

export type ScreenFigures = { p50: number; p95: number };

/**
 * Milliseconds from the wallet's POST being answered to the dashboard's heading on the screen, in a real browser,
 * one login after the other, each in a fresh profile.
 * @param push false cuts the event stream off: what is left is the 5-second poll
 */
export async function measureScreen(
  app: RunningApp,
  { times, push }: { times: number; push: boolean },
): Promise<ScreenFigures> {
  const browser = await chromium.launch({
    executablePath: await findBrowser(() => {}),
    // As root Chromium cannot make its sandbox; it visits nothing but this application.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  try {
    const delays: number[] = [];
    for (let time = 0; time < times; time++) delays.push(await logInOnScreen(browser, app, push));
    delays.sort((a, b) => a - b);
    return { p50: quantile(delays, 0.5), p95: quantile(delays, 0.95) };
  } finally {
    await browser.close();
  }
}

async function logInOnScreen(
  browser: Browser,
  { server, wallet }: RunningApp,
  push: boolean,
): Promise<number> {
  // A success is seen for 0.8 s on purpose, and for less here.
  const context = await browser.newContext({ reducedMotion: "reduce" });
  try {
    const page = await context.newPage();
    if (!push) await page.route("**/api/svc/events?*", (route) => route.abort());
    const code = page.waitForResponse((response) => response.url().includes("/api/svc/qr"));
    const stream = push && page.waitForResponse((response) => response.url().includes("/api/svc/events"));
    await page.goto(`${server.url}/login`);
    const { challenge } = Qr.parse(await (await code).json());
    await stream;
    await page.waitForLoadState("load");
    // A wallet takes its time, and comes at any moment of the poll.
    await page.waitForTimeout(500 + (push ? 0 : Math.random() * 5_000));
    const heading = page.getByRole("heading", { level: 1, name: /^User / });
    const json = wallet.response(challenge);
    const [answered, shown] = await Promise.all([
      new Client(server.url).expect(200, "/webhook/login", { json }).then(() => performance.now()),
      heading.waitFor().then(() => performance.now()),
    ]);
    return shown - answered;
  } finally {
    await context.close();
  }
}
