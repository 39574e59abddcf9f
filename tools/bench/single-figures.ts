import { hash } from "node:crypto";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { type Browser, chromium } from "playwright";
import { parsePublicKey } from "#packages/login/crypto/public-key.ts";
import { parseDerSignature, verifySignature } from "#packages/login/crypto/signature.ts";
import { findBrowser } from "../../scripts/test/find-browser.ts";
import { Client } from "../kit/client.ts";
import { TestWallet } from "../kit/test-wallet.ts";
import { openWaitingBrowser } from "../kit/watcher.ts";
import { median, quantile } from "./measure.ts";
import { type BenchServers, type RunningApp, startBenchApp } from "./servers.ts";
import { number, ratio } from "./table.ts";

export type Times = {
  pushes: number;
  screens: number;
  screensByPoll: number;
  starts: number;
  verifications: { rounds: number; times: number };
};

/** Rows of a table: what was measured, its figure, and its ratio to what it is compared with. */
type Rows = string[][];

/** Parts of the benchmark that measure something other than a rate. */
export const SINGLE_FIGURES: readonly {
  title: string;
  rows(compared: BenchServers, times: Times, root: string): Promise<Rows>;
}[] = [
  {
    title: "Verification of a signature, CPU µs",
    async rows(_compared, { verifications }) {
      const { raw, verify, whole } = measureVerification(verifications);
      return [
        ["raw libsecp256k1", number(raw), ""],
        ["parsed key and signature", number(verify), ratio(verify, raw)],
        ["from the texts that are sent", number(whole), ratio(whole, raw)],
      ];
    },
  },
  {
    title: "From the wallet's answer to the event in the browser, ms",
    async rows({ apps }, { pushes }) {
      const rows: Rows = [];
      for (const app of apps) rows.push(...(await delays(app.name, pushes, () => timePush(app))));
      return rows;
    },
  },
  {
    title: "From the wallet's answer to the dashboard on the screen, ms",
    async rows({ apps }, { screens, screensByPoll }) {
      const browser = await chromium.launch({
        executablePath: await findBrowser(() => {}),
        // As root Chromium cannot make its sandbox; it visits nothing but this application.
        args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
      });
      try {
        const rows: Rows = [];
        for (const app of apps) {
          const push = () => timeScreen(browser, app, true);
          const poll = () => timeScreen(browser, app, false);
          rows.push(...(await delays(`${app.name}, by push`, screens, push)));
          rows.push(...(await delays(`${app.name}, by the poll alone`, screensByPoll, poll)));
        }
        return rows;
      } finally {
        await browser.close();
      }
    },
  },
  {
    title: "JavaScript of a page, gzip KB",
    async rows({ apps, floor }) {
      const bare = await scriptBytes(floor.url);
      const login = await scriptBytes(`${apps[0].url}/login`);
      return [
        ["bare page", number(bare / 1024), ""],
        ["login page", number(login / 1024), ratio(login, bare)],
      ];
    },
  },
  {
    title: "From start to the first answer, ms",
    async rows({ apps }, { starts }, root) {
      const times: number[] = [];
      for (let start = 0; start < starts; start++) {
        const server = await startBenchApp(root, apps[0].databaseUrl);
        times.push(server.startMs);
        await server.stop();
      }
      return [["this-app", median(times).toFixed(0), ""]];
    },
  },
];

async function delays(name: string, times: number, measure: () => Promise<number>): Promise<Rows> {
  const all: number[] = [];
  for (let time = 0; time < times; time++) all.push(await measure());
  all.sort((a, b) => a - b);
  return [
    [`${name} p50`, number(quantile(all, 0.5)), ""],
    [`${name} p95`, number(quantile(all, 0.95)), ""],
  ];
}

/** Milliseconds from the answer to the wallet's POST to the event in the browser's stream; below 0 if it came first. */
async function timePush({ url, wallet }: RunningApp): Promise<number> {
  const { challenge, watcher } = await openWaitingBrowser(new Client(url));
  await new Client(url).expect(200, "/webhook/login", { json: wallet.response(challenge) });
  const answered = performance.now();
  const arrivedAt = await watcher.arrival('"authenticated"', 60_000);
  watcher.close();
  if (arrivedAt === null) throw new Error("the stream ended without the event");
  return arrivedAt - answered;
}

/**
 * Milliseconds from the answer to the wallet's POST to the dashboard's heading on the screen, in a fresh profile.
 * @param push false cuts the event stream off: what is left is the 5-second poll
 */
async function timeScreen(browser: Browser, { url, wallet }: RunningApp, push: boolean): Promise<number> {
  // The page shows a success for 0.8 s on purpose, and for less with reduced motion.
  const context = await browser.newContext({ reducedMotion: "reduce" });
  try {
    const page = await context.newPage();
    if (!push) await page.route("**/api/svc/events?*", (route) => route.abort());
    const code = page.waitForResponse((response) => response.url().includes("/api/svc/qr"));
    const stream = push && page.waitForResponse((response) => response.url().includes("/api/svc/events"));
    await page.goto(`${url}/login`);
    const { challenge } = await (await code).json();
    await stream;
    await page.waitForLoadState("load");
    // A wallet takes a moment. Without push, it answers at a random point between two polls.
    await page.waitForTimeout(500 + (push ? 0 : Math.random() * 5_000));
    const heading = page.getByRole("heading", { level: 1, name: /^User / });
    const json = wallet.response(challenge);
    const [answered, shown] = await Promise.all([
      new Client(url).expect(200, "/webhook/login", { json }).then(() => performance.now()),
      heading.waitFor().then(() => performance.now()),
    ]);
    return shown - answered;
  } finally {
    await context.close();
  }
}

/** Bytes (gzip) of the scripts that a page names in its HTML, those for old browsers left out. */
async function scriptBytes(url: string): Promise<number> {
  const html = await (await fetch(url)).text();
  const tags = html.match(/<script[^>]*\ssrc="[^"]+"[^>]*>/g) ?? [];
  const sources = tags
    .filter((tag) => !/\snomodule/i.test(tag))
    .map((tag) => /\ssrc="([^"]+)"/.exec(tag)?.[1]?.replaceAll("&amp;", "&") ?? "");
  let bytes = 0;
  for (const source of new Set(sources)) {
    const response = await fetch(new URL(source, url));
    bytes += gzipSync(Buffer.from(await response.arrayBuffer())).length;
  }
  return bytes;
}

/** The part of `libsecp256k1/bindings` that verifies; the package has no types. */
type Bindings = { ecdsaVerify(signature: Uint8Array, digest: Uint8Array, point: Uint8Array): boolean };

/**
 * CPU microseconds of a verification: only libsecp256k1, ours on parsed input, and ours on the texts that a wallet
 * sends. Alternating over rounds; medians.
 */
function measureVerification({ rounds, times }: Times["verifications"]) {
  const bindings: Bindings = createRequire(import.meta.url)("libsecp256k1/bindings.js");
  const wallet = new TestWallet();
  const message = "svc:login:localhost:1700000000:abcdefghijklmnopqrstuvwxyzABCDEF";
  const signatureHex = wallet.sign(message);
  const publicKey = parsePublicKey(wallet.publicKey);
  const signature = parseDerSignature(signatureHex);
  if (!publicKey || !signature) throw new Error("the wallet's own signature cannot be parsed");
  const digest = hash("sha256", message, "buffer");
  const ways = {
    raw: () => bindings.ecdsaVerify(signature, digest, publicKey.bytes),
    verify: () => verifySignature({ publicKey, signature, message }),
    whole: () => {
      const [key, sent] = [parsePublicKey(wallet.publicKey), parseDerSignature(signatureHex)];
      return key !== null && sent !== null && verifySignature({ publicKey: key, signature: sent, message });
    },
  };
  const measured = { raw: [] as number[], verify: [] as number[], whole: [] as number[] };
  for (let round = -1; round < rounds; round++) {
    for (const name of ["raw", "verify", "whole"] as const) {
      const before = process.cpuUsage();
      for (let time = 0; time < times; time++) {
        if (!ways[name]()) throw new Error(`${name} refuses a good signature`);
      }
      const { user, system } = process.cpuUsage(before);
      // The first round warms the compiler up.
      if (round >= 0) measured[name].push((user + system) / times);
    }
  }
  return { raw: median(measured.raw), verify: median(measured.verify), whole: median(measured.whole) };
}
