import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runNginx } from "#e2e/support/nginx.ts";
import { freePort, type RunningServer } from "#scripts/kit/start-server.ts";
import { registeredWallet, requestCode } from "../bench/app.ts";
import { Client } from "../kit/client.ts";
import { seconds } from "../kit/waiting.ts";
import { ensureProgram } from "./debian-package.ts";
import { Load } from "./load.ts";
import { checkPromises } from "./promises-kept.ts";
import type { Scenario, Stage } from "./stage.ts";
import { openWorld } from "./world.ts";

/** Of every limit: low enough to be reached, high enough for the load. */
const SCALE = 20;
const CODES_PER_MINUTE = 120 * SCALE;
const RESPONSES_AT_ONCE = 50;
const CONFIGURATION = join(import.meta.dirname, "..", "..", "deploy", "nginx.conf");

export const twoProcesses: Scenario = {
  name: "two-processes",
  title: "two processes behind nginx, one killed and one stopped, both replaced",
  async play(stage) {
    const world = await openWorld(stage);
    const ports: [number, number] = [await freePort(), await freePort()];
    const origin = await startNginx(stage, ports);
    const start = (port: number) =>
      world.start({ PORT: String(port), APP_URL: origin, RATE_LIMIT_SCALE: String(SCALE) });
    let first = await start(ports[0]);
    let second = await start(ports[1]);
    const load = await Load.start({ origin, people: 6, pauseMs: 200 });
    await sleep(3_000);
    await first.stop("SIGKILL");
    await sleep(1_000);
    first = await start(ports[0]);
    await sleep(3_000);
    const told = performance.now();
    await second.stop("SIGTERM");
    stage.say(`SIGTERM: exit code ${second.process.exitCode} after ${seconds(performance.now() - told)}`);
    second = await start(ports[1]);
    await sleep(3_000);
    await load.stop();

    const { ledger, traffic } = load;
    stage.say(`requests: ${traffic.summary()}; slowest ${seconds(traffic.latency(1))}`);
    stage.check(
      "no login failed",
      ledger.failures.length === 0,
      [`${ledger.signedIn} signed in`, ...ledger.failures].join("; "),
    );
    await checkPromises(stage, { origin, databaseUrl: world.databaseUrl, ledger });
    await checkSingleUse(stage, first, second);
    await checkRevocation(stage, first, second);
    await checkLimit(stage, first, second);
  },
};

async function checkSingleUse(stage: Stage, first: RunningServer, second: RunningServer): Promise<void> {
  const { challenge } = await requestCode(new Client(first.url));
  const json = (await registeredWallet(first.url)).response(challenge);
  const answers = await Promise.all(
    Array.from({ length: RESPONSES_AT_ONCE }, (_, index) =>
      new Client((index % 2 ? first : second).url).send("/webhook/login", { json }),
    ),
  );
  const times = (status: number) => answers.filter((answer) => answer.status === status).length;
  stage.check(
    `of ${RESPONSES_AT_ONCE} wallet responses at once to both, one succeeds`,
    times(200) === 1 && times(408) === RESPONSES_AT_ONCE - 1,
    `200 ×${times(200)}, 408 ×${times(408)}`,
  );
}

async function checkRevocation(stage: Stage, first: RunningServer, second: RunningServer): Promise<void> {
  const wallet = await registeredWallet(first.url);
  const browser = new Client(first.url);
  const { sid, challenge } = await requestCode(browser);
  await new Client(second.url).expect(200, "/webhook/login", { json: wallet.response(challenge) });
  await browser.expect(200, "/api/svc/sign-in", { json: { sid } });
  const stolen = browser.copy();
  const before = (await stolen.copy().send("/api/auth/session")).body;
  // Signed out at one process, a kept copy of the token is worth nothing at the other.
  await browser.copy(second.url).signOut();
  const after = (await stolen.send("/api/auth/session")).body;
  stage.check(
    "a session ended at one process is over at the other",
    before.includes('"user"') && !after.includes('"user"'),
    `${before.includes('"user"') ? "signed in" : "signed out"} before, ${after.includes('"user"') ? "signed in" : "signed out"} after`,
  );
}

async function checkLimit(stage: Stage, first: RunningServer, second: RunningServer): Promise<void> {
  const browsers = [first, second].map(({ url }) => new Client(url, "198.51.100.7"));
  const statuses: number[] = [];
  let asked = 0;
  const loop = async (browser: Client) => {
    while (asked++ < CODES_PER_MINUTE * 1.05) {
      statuses.push((await browser.send("/api/getqrcode?sid=")).status);
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, index) => loop(browsers[index % 2] as Client)));
  const times = (status: number) => statuses.filter((each) => each === status).length;
  stage.check(
    `${CODES_PER_MINUTE} codes a minute and address, at both together`,
    times(200) === CODES_PER_MINUTE && times(200) + times(429) === statuses.length,
    `200 ×${times(200)}, 429 ×${times(429)}`,
  );
}

/**
 * Puts nginx in front of processes of the application, with the configuration of `deploy/` and these ports in it.
 * @returns its origin
 * @throws {Skipped} where there is no nginx
 */
export async function startNginx(stage: Stage, ports: readonly [number, number]): Promise<string> {
  ensureProgram("nginx", "nginx-light");
  const port = await freePort();
  const configuration = readFileSync(CONFIGURATION, "utf8")
    .replace("127.0.0.1:3001", `127.0.0.1:${ports[0]}`)
    .replace("127.0.0.1:3002", `127.0.0.1:${ports[1]}`)
    .replace("listen 3000", `listen 127.0.0.1:${port}`);
  const nginx = await runNginx(configuration, port);
  stage.onEnd(() => nginx.stop());
  return `http://localhost:${port}`;
}
