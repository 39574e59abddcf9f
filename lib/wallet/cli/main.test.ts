import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { listen } from "../../conformance/testing/listen.fixture.ts";
import { HOSTILE_TEXT, strayIn } from "../../conformance/testing/terminal.fixture.ts";

const script = fileURLToPath(new URL("../../../scripts/wallet.ts", import.meta.url));
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wallet "));
});
afterEach(() => rm(folder, { recursive: true }));

const wallet = (...args: string[]) => run("seed.json", args);

async function run(file: string, args: string[], { passphrase = "", input = "" } = {}) {
  const child = spawn(process.execPath, [script, ...args, "--seed-file", join(folder, file)], {
    env: { ...process.env, WALLET_PASSPHRASE: passphrase },
  });
  child.stdin.end(input);
  const [out, err]: string[][] = [[], []];
  child.stdout.on("data", (text) => out?.push(String(text)));
  child.stderr.on("data", (text) => err?.push(String(text)));
  const status = await new Promise<number | null>((done) => child.on("close", done));
  return { status, out: out?.join("") ?? "", err: err?.join("") ?? "" };
}

test("the phrase is told once, on stderr only, and the last line is JSON when asked for", async () => {
  const first = await wallet("show", "example.com", "--json");
  expect(first.status).toBe(0);
  expect(first.err).toMatch(/told only this once[\s\S]*( [a-z]+){12}\n/);
  const key = JSON.parse(first.out.trimEnd().split("\n").at(-1) ?? "");
  expect(key).toMatchObject({
    domain: "example.com",
    account: 0,
    public_key: expect.stringMatching(/^04[0-9a-f]{128}$/),
  });
  const second = await wallet("show", "example.com", "--json");
  expect(second).toEqual({ ...first, err: "" });
});

test("a new file without a terminal and a passphrase is unsealed, and said so", async () => {
  const first = await run("plain.json", ["show", "example.com"]);
  expect(first).toMatchObject({ status: 0, err: expect.stringContaining("is not sealed") });
});

test("words are restored to the keys of the vectors, sealed by WALLET_PASSPHRASE, and opened by it alone", async () => {
  const passphrase = "correct horse battery";
  const input = `${"abandon ".repeat(11)}about\n`;
  const restored = await run("sealed.json", ["restore"], { passphrase, input });
  expect(restored).toMatchObject({ status: 0, out: expect.stringContaining("sealed") });
  const show = ["show", "example.com"];
  expect(await run("sealed.json", show, { passphrase })).toMatchObject({
    status: 0,
    out: expect.stringContaining("cf53 defa c1cd 5240"),
  });
  expect(await run("sealed.json", show)).toMatchObject({
    status: 1,
    err: expect.stringContaining("WALLET_PASSPHRASE"),
  });
  expect(await run("sealed.json", show, { passphrase: "another passphrase" })).toMatchObject({
    status: 1,
    err: expect.stringContaining("does not open"),
  });
});

test("what cannot be done ends with status 1 and the reason, in JSON too", async () => {
  const refused = await wallet("login", "https://example.com/", "--json");
  expect(refused).toMatchObject({ status: 1, err: expect.stringContaining("not a login code") });
  expect(JSON.parse(refused.out)).toMatchObject({ ok: false, code: "payload_unknown" });
  expect(await wallet("frobnicate")).toMatchObject({
    status: 1,
    err: expect.stringContaining("npm run wallet -- --help"),
  });
});

test("what a service, a code or an argument brings along is obeyed by no terminal, nor in JSON", async () => {
  const server = createServer((_request, response) => {
    const error = { code: HOSTILE_TEXT, message: `No ${HOSTILE_TEXT}\u115f`, details: {} };
    response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  });
  const { origin, close } = await listen(server);
  onTestFinished(close);
  const challenge = `svc:login:localhost:${Math.floor(Date.now() / 1000)}:${"A".repeat(32)}`;
  const code = new URLSearchParams({ webhook: `${origin}webhook/login`, session: "s", challenge });
  const answered = await wallet("login", `svc://auth?${code}`, "--json");
  expect(answered).toMatchObject({ status: 1, err: expect.stringContaining("No") });
  // Letters from right to left are what a site may write to its users.
  for (const { out, err } of [answered, await wallet("show", `--${HOSTILE_TEXT.replaceAll("\0", "")}`)])
    expect(strayIn(out + err, "\n\u05d0")).toEqual([]);
});

test("--help says how it is used", async () => {
  expect(await wallet("--help")).toMatchObject({
    status: 0,
    out: expect.stringContaining("wallet -- register"),
    err: "",
  });
});
