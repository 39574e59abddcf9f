import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../tools/kit/start-server.ts";
import { until } from "../../tools/kit/waiting.ts";
import { LOGIN_CHECKS } from "./server/checks.ts";
import { runServer } from "./server/run-server.ts";
import { DEFAULT_PATHS } from "./server/site.ts";

/** A site that was written only from docs/protocol.md, which proves that the documents are complete and the kit is neutral. */

const SITE = join(import.meta.dirname, "..", "..", "examples", "python-site", "site.py");
/** What the site leaves out, which a site may. */
const LEFT_OUT =
  /^(?:11\.[12]-|3\.4-own-browser$|3\.6-intent-(?:dropped|untold)$|1\.2-payload-page$|2\.4-retry-after$)/;

let site: ChildProcess;
let output = "";
let origin: URL;

beforeAll(async () => {
  if (spawnSync("python3", ["--version"]).status !== 0) {
    throw new Error(
      "This test needs python3, 3.9 or newer: `apt-get install python3`, `brew install python`, or https://www.python.org/downloads.",
    );
  }
  const port = await freePort();
  origin = new URL(`http://localhost:${port}`);
  // Within the limits of everybody the rest would wait for their window to end.
  const own = { PORT: String(port), APP_URL: origin.origin, RATE_LIMIT_SCALE: "20" };
  site = spawn("python3", [SITE], { env: { ...process.env, ...own } });
  site.stdout?.on("data", (chunk) => (output += chunk));
  site.stderr?.on("data", (chunk) => (output += chunk));
  await until(async () => {
    if (site.exitCode !== null) throw new Error(output);
    return output.includes("Ready on");
  }, 60_000);
});
afterAll(async () => {
  if (site?.exitCode === null) {
    site.kill();
    await once(site, "exit");
  }
});

test("a site in Python, with a sign-in of its own, keeps every rule of the login", {
  timeout: 300_000,
}, async () => {
  const paths = {
    signIn: "/api/svc/sign-in",
    session: "/api/svc/session",
    signOut: "/api/svc/sign-out",
  };
  const target = { ...DEFAULT_PATHS, ...paths, origin };
  // What uses up a limit would have the rest wait for minutes.
  const checks = LOGIN_CHECKS.filter(({ locksOut }) => !locksOut);
  const { results, requests } = await runServer({ target, checks, timeoutSeconds: 30 });
  const open = results.filter(({ check, outcome }) => outcome !== "passed" && !LEFT_OUT.test(check.id));
  expect(open.map(({ check, outcome, message }) => `${check.id} ${outcome}: ${message}`)).toEqual([]);
  expect(requests).toBeLessThan(2_000);
  // What breaks a handler is logged there.
  expect(output.replace(/^Ready on .*\n/, "")).toBe("");
});
