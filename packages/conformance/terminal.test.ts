import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Check } from "./check.ts";
import { FAST_CHECKS } from "./fast/checks.ts";
import { HOSTED_CHECKS } from "./hosted/checks.ts";
import { RECEIVER_CHECKS } from "./receiver/checks.ts";
import { LOGIN_CHECKS } from "./server/checks.ts";
import { createTestCommand } from "./testing/command.fixture.ts";
import { closeAfterTest } from "./testing/reference.fixture.ts";
import { startReferenceApi } from "./testing/reference-api.fixture.ts";
import { startReferenceFastSite } from "./testing/reference-fast-site.fixture.ts";
import { startReferenceReceiver } from "./testing/reference-receiver.fixture.ts";
import { startReferenceSite } from "./testing/reference-site.fixture.ts";
import {
  findStrayCharacters,
  findStrayCharactersInOutput,
  HOSTILE_TEXT,
  startHostileProxy,
  type Where,
} from "./testing/terminal.fixture.ts";

/** A site, wallet or receiver that is being tested must not be able to control the tester's terminal. */

const command = createTestCommand({ isTTY: true });
const run = (...args: string[]) => command.run(...args, "--report", "report");

const quick = (checks: readonly Check<never>[]) =>
  checks
    .filter(({ startsEarly, exhaustsLimits }) => !startsEarly && !exhaustsLimits)
    .map(({ id }) => id)
    .join(",");

/** Text from the tested side must be visible and harmless. */
function expectVisibleOutput(): void {
  expect(findStrayCharactersInOutput(command.printed)).toEqual([]);
  const [json = "", ...others] = ["report.json", "junit.xml", "report.html"].map(command.read);
  // Right-to-left letters are harmless in a file.
  for (const text of [json, ...others]) expect(findStrayCharacters(text, "\n\u05d0")).toEqual([]);
  expect(json).toContain("\\u001b[2J");
  expect(JSON.stringify(JSON.parse(json))).toContain(JSON.stringify("\u202aa\u202bb").slice(1, -1));
}

/**
 * Starts a proxy in front of a correct site. The proxy adds hostile text to the site's responses.
 * @returns the proxy's URL
 */
async function behindHostileProxy(site: { origin: URL }, where: Where): Promise<string> {
  return (await closeAfterTest(startHostileProxy(site.origin, where))).origin.origin;
}

describe.each(["some-texts", "every-text"] as const)("hostile text in responses (%s)", (where) => {
  test("from a site does not reach the terminal or the report", async () => {
    const url = await behindHostileProxy(await closeAfterTest(startReferenceSite()), where);
    await run("server", "--url", url, "--only", quick(LOGIN_CHECKS));
    expectVisibleOutput();
  });

  test("from a site with fast login does not reach the terminal or the report", async () => {
    const url = await behindHostileProxy(await closeAfterTest(startReferenceFastSite()), where);
    await run("server", "--flow", "fast", "--url", url, "--only", quick(FAST_CHECKS));
    expectVisibleOutput();
  });

  test("from a hosted API does not reach the terminal or the report", async () => {
    const api = await closeAfterTest(startReferenceApi());
    const url = await behindHostileProxy(api, where);
    const args = ["--flow", "hosted", "--key", api.key, "--other-key", api.otherKey];
    await run("server", "--url", url, ...args, "--only", quick(HOSTED_CHECKS));
    expectVisibleOutput();
  });

  test("from a receiver does not reach the terminal or the report", async () => {
    const { url, secret } = await closeAfterTest(startReferenceReceiver("standard", ["redirects"]));
    const origin = await behindHostileProxy({ origin: new URL(url.origin) }, where);
    const args = ["--secret", secret, "--only", quick(RECEIVER_CHECKS)];
    await run("receiver", "--url", origin + url.pathname, ...args);
    expectVisibleOutput();
  });
});

test.each([
  ["login", []],
  ["fast", ["--flow", "fast"]],
  ["hosted", ["--flow", "hosted", "--key", "svc_test_key"]],
])(
  "keeps a site's hostile text out of the terminal if the site does not support the flow: %s",
  async (_flow, args) => {
    const url = await behindHostileProxy(await closeAfterTest(startReferenceSite()), "bodies");
    expect(await run("server", "--url", url, ...args)).toBe(2);
    expect(findStrayCharactersInOutput(command.printed)).toEqual([]);
  },
);

test("escapes hostile text in an unexpected error from the kit", async () => {
  const check = LOGIN_CHECKS.find(({ id }) => id === "3.3-pending");
  if (!check) throw new Error("no check");
  vi.spyOn(check, "run").mockRejectedValue(new TypeError(HOSTILE_TEXT));
  const site = await closeAfterTest(startReferenceSite());
  expect(await run("server", "--url", site.origin.origin, "--only", check.id)).toBe(2);
  expect(command.printed).toContain("TypeError: \\u001b[2J");
  expect(findStrayCharactersInOutput(command.printed)).toEqual([]);
});

test("escapes hostile text in a wallet's output and responses", async () => {
  const script = `
    const [payload] = process.argv.slice(2);
    const { searchParams } = new URL(payload);
    const words = ${JSON.stringify(HOSTILE_TEXT)};
    const body = { challenge: searchParams.get("challenge") + words, signature: words, intent: words };
    await fetch(searchParams.get("webhook"), { method: "POST", body: JSON.stringify(body) });
    process.stdout.write(words);
    process.stderr.write(words);
    process.exitCode = 1;
  `;
  writeFileSync(join(command.folder, "wallet.mjs"), script);
  const only = "7-answers,7-shows-domain,7-says-why,1.5-sent,1.4-sent,3.6-shown,3.6-shown-none";
  await run("wallet", "--command", `'${process.execPath}' wallet.mjs {payload}`, "--only", only);
  expectVisibleOutput();
});
