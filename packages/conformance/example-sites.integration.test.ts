import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../tools/kit/database.ts";
import { startServer } from "../../tools/kit/start-server.ts";
import { LOGIN_CHECKS, runServer } from "./server/checks.ts";
import { DEFAULT_PATHS } from "./server/site.ts";

/**
 * Sites that do not use this application's framework. The site in Python was written using only docs/protocol.md, which
 * proves that the documents are complete and that the kit is neutral.
 */

const EXAMPLES = join(import.meta.dirname, "..", "..", "examples");

/** These sites have no codes in the HTTPS form and no intents. A run that stays within the limits gets no 429. */
const NOT_APPLICABLE =
  /^(?:11\.1-intent|1\.2-payload-page|2\.4-retry-after|3\.2-order-intent|3\.6-intent-.*)$/;

test.each([
  {
    folder: "python-site",
    command: ["python3", "site.py"],
    // The optional features that a site does not have.
    leftOut:
      /^(?:11\.[12]-|3\.4-own-browser$|3\.2-order-intent$|3\.6-intent-|1\.2-payload-page$|2\.4-retry-after$)/,
  },
  { folder: "hono-site", command: [process.execPath, "server.ts"], leftOut: NOT_APPLICABLE },
  { folder: "express-site", command: [process.execPath, "server.ts"], leftOut: NOT_APPLICABLE },
])(
  "passes every check of the login in examples/$folder",
  {
    timeout: 300_000,
  },
  async ({ folder, command: [program = "", ...args], leftOut }) => {
    if (spawnSync(program, ["--version"]).status !== 0) {
      throw new Error(
        "This test needs python3, 3.9 or newer: `apt-get install python3`, `brew install python`, or https://www.python.org/downloads.",
      );
    }
    const database = await createTestDatabase();
    onTestFinished(database.close);
    const site = await startServer({
      program,
      args,
      cwd: join(EXAMPLES, folder),
      ready: { words: "Ready on" },
      env: (url, port) => ({
        PORT: String(port),
        APP_URL: url,
        DATABASE_URL: database.url,
        NEXTAUTH_SECRET: "a secret of thirty-two characters",
        // With the usual limits, the other checks would have to wait for a new minute.
        RATE_LIMIT_SCALE: "20",
      }),
    });
    onTestFinished(() => site.stop());
    const paths = {
      signIn: "/api/svc/sign-in",
      session: "/api/svc/session",
      signOut: "/api/svc/sign-out",
    };
    const target = { ...DEFAULT_PATHS, ...paths, origin: new URL(site.url) };
    // After a check that uses up a limit, the remaining checks would have to wait for minutes.
    const checks = LOGIN_CHECKS.filter(({ exhaustsLimits }) => !exhaustsLimits);
    const { results, requests } = await runServer({ target, checks, timeoutSeconds: 30 });
    const open = results.filter(({ check, outcome }) => outcome !== "passed" && !leftOut.test(check.id));
    expect(open.map(({ check, outcome, message }) => `${check.id} ${outcome}: ${message}`)).toEqual([]);
    expect(requests).toBeLessThan(2_000);
    // The site would print the errors of its handlers there.
    expect(site.output().replace(/^Ready on .*\n/, "")).toBe("");
  },
);
