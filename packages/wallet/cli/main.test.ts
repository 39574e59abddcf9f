import dns from "node:dns";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { type Receiver, startReceiver } from "../../../tools/kit/receiver.ts";
import { findStrayCharacters, HOSTILE_TEXT } from "../../conformance/testing/terminal.fixture.ts";
import { PHRASE } from "../payload.fixture.ts";
import { resolveLocalhostNames } from "./main.ts";
import { callWallet, formatLoginCode, runWallet } from "./run-wallet.fixture.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wallet "));
});
afterEach(() => rm(folder, { recursive: true }));

const wallet = (...args: string[]) => callWallet([...args, "--seed-file", join(folder, "seed.json")]);

test("prints the seed phrase only once, to stderr", async () => {
  const first = await wallet("show", "example.com", "--json");
  expect(first.status).toBe(0);
  expect(first.err).toMatch(/shown only once[\s\S]*( [a-z]+){12}\n/);
  // There is no terminal and no passphrase.
  expect(first.err).toContain("is not sealed");
  expect(JSON.parse(first.lastLine)).toMatchObject({
    domain: "example.com",
    account: 0,
    public_key: expect.stringMatching(/^04[0-9a-f]{128}$/),
  });
  const second = await wallet("show", "example.com", "--json");
  expect(second).toEqual({ ...first, err: "" });
});

test("refuses to create an unsealed seed file unless --unsealed is given", async () => {
  // This program's default seed is in the user's home directory.
  const run = (...args: string[]) =>
    runWallet(args, { env: { HOME: folder, USERPROFILE: folder }, program: "package" });
  const refusal = await run("show", "example.com", "--json");
  expect(refusal).toMatchObject({ status: 1, err: expect.stringMatching(/WALLET_PASSPHRASE.*--unsealed/) });
  expect(JSON.parse(refusal.lastLine)).toMatchObject({ ok: false, code: "seed_file" });
  expect(await readdir(folder)).toEqual([]);
  expect(await run("show", "example.com", "--unsealed")).toMatchObject({ status: 0 });
  expect(await run("show", "example.com")).toMatchObject({ status: 0 });
});

test("warns that WALLET_PASSPHRASE has no effect on an unsealed seed file", async () => {
  await wallet("show", "example.com");
  const args = ["show", "example.com", "--seed-file", join(folder, "seed.json")];
  expect(await callWallet(args, "correct horse battery")).toMatchObject({
    status: 0,
    err: expect.stringMatching(/WALLET_PASSPHRASE is not used.*wallet -- seal/),
  });
});

test("restores the keys from a test vector's seed phrase and seals them with WALLET_PASSPHRASE", async () => {
  const passphrase = "correct horse battery";
  const seedFile = ["--seed-file", join(folder, "sealed.json")];
  const restoreResult = await runWallet(["restore", ...seedFile], {
    env: { WALLET_PASSPHRASE: passphrase },
    input: `${PHRASE}\n`,
  });
  expect(restoreResult).toMatchObject({ status: 0, out: expect.stringContaining("sealed") });
  const show = ["show", "example.com", ...seedFile];
  const success = { status: 0, out: expect.stringContaining("cf53 defa c1cd 5240") };
  expect(await callWallet(show, passphrase)).toMatchObject(success);
  for (const [wrong, reason] of [
    ["", "WALLET_PASSPHRASE"],
    ["another passphrase", "does not open"],
  ] as const) {
    expect(await callWallet(show, wrong)).toMatchObject({ status: 1, err: expect.stringContaining(reason) });
  }
});

test("prints its usage for --help, and exits with status 1 after a failure", async () => {
  const help = { status: 0, out: expect.stringContaining("wallet -- register"), err: "" };
  expect(await wallet("--help")).toMatchObject(help);
  const seedFile = ["--seed-file", join(folder, "seed.json")];
  const refusal = await runWallet(["login", "https://example.com/", "--json", ...seedFile]);
  expect(refusal).toMatchObject({ status: 1, err: expect.stringContaining("not a login code") });
  expect(JSON.parse(refusal.out)).toMatchObject({ ok: false, code: "payload_unknown" });
  expect(await wallet("frobnicate")).toMatchObject({
    status: 1,
    err: expect.stringContaining("npm run wallet -- --help"),
  });
});

test("escapes control characters from a service, a code or an argument", async () => {
  const site = await startReceiver("127.0.0.1", 0, (response) => {
    const error = { code: HOSTILE_TEXT, message: `No ${HOSTILE_TEXT}\u115f`, details: {} };
    response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  });
  onTestFinished(() => site.close());
  const result = await wallet("login", formatLoginCode({ webhook: `${site.url}/webhook/login` }), "--json");
  expect(result).toMatchObject({ status: 1, err: expect.stringContaining("No") });
  // A site can send right-to-left letters to its users.
  for (const { out, err } of [result, await wallet("show", `--${HOSTILE_TEXT.replaceAll("\0", "")}`)])
    expect(findStrayCharacters(out + err, "\n\u05d0")).toEqual([]);
});

describe("for a site that describes the requesting browser", () => {
  const browser = { name: "Chrome on Windows" };
  let site: Receiver;
  let sentQuestion: Record<string, unknown>;
  let undo = "";
  const requests = () => site.received.map(({ method, path }) => `${method} ${path.split("?")[0]}`);
  const login = (...args: string[]) =>
    wallet("login", formatLoginCode({ webhook: `${site.url}/webhook/login` }), ...args);

  beforeAll(async () => {
    site = await startReceiver("127.0.0.1", 0, (response, { method }) => {
      const now = Date.now();
      const question = {
        ...{ domain: "127.0.0.1", action: "login", intent: null, browser, network: "other" },
        asked_at: new Date(now - 5_000).toISOString(),
        expires_at: new Date(now + 25_000).toISOString(),
        ...sentQuestion,
      };
      const answer = { status: "authenticated", browser, new_browser: true, undo };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(method === "GET" ? question : answer));
    });
  });
  beforeEach(() => {
    [sentQuestion, undo] = [{}, `${site.url}/webhook/don't?s=1&t=2`];
    site.received.length = 0;
  });
  afterAll(() => site.close());

  test("prints the requesting browser, then who is signed in and how to undo the login", async () => {
    const { status, out, lastLine } = await login("--json");
    expect(status).toBe(0);
    expect(out).toMatch(
      /Browser {2}Chrome on Windows, \d+ seconds ago\nCaution {2}The code was requested from another network\. If you did not open this page yourself, decline\.\nApproved\. Chrome on Windows is being signed in\. It is new to your account\.\n/,
    );
    expect(JSON.parse(lastLine)).toMatchObject({ ok: true, browser, new_browser: true, undo });
    const [, printed = ""] = /npm run wallet -- undo '([^\n]*)'\n/.exec(out) ?? [];
    expect(printed).not.toContain("'");
    expect(await wallet("undo", printed)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^That browser is signed out\. .+\n$/),
    });
    expect(requests()).toEqual(["GET /webhook/login", "POST /webhook/login", "POST /webhook/don%27t"]);
  });
});

test("resolves names below localhost to the loopback address, and asks the system for all others", () => {
  const { lookup } = dns;
  onTestFinished(() => {
    dns.lookup = lookup;
  });
  const onAsk = vi.fn();
  dns.lookup = onAsk as unknown as typeof lookup;
  resolveLocalhostNames();
  const names = ["shop.localhost", "a.b.localhost", "localhost"];
  const others =
    "evillocalhost evil-localhost localhost.evil.example shop.localhost.example localhost.".split(" ");
  for (const name of [...names, ...others]) dns.lookup(name, () => {});
  expect(onAsk.mock.calls.map(([name]) => name)).toEqual([...names.map(() => "localhost"), ...others]);
});
