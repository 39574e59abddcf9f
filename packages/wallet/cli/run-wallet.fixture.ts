import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { challengeText, svcForm } from "../payload.fixture.ts";

const PROGRAMS = {
  repository: fileURLToPath(new URL("../../../scripts/wallet.ts", import.meta.url)),
  package: fileURLToPath(new URL("./bin.ts", import.meta.url)),
};

/** Runs the command-line wallet in a separate process, without a terminal. */
export async function runWallet(
  args: readonly string[],
  {
    env = {},
    input = "",
    program = "repository",
  }: { env?: Record<string, string>; input?: string; program?: keyof typeof PROGRAMS } = {},
) {
  const child = spawn(process.execPath, [PROGRAMS[program], ...args], {
    env: { ...process.env, WALLET_PASSPHRASE: "", ...env },
  });
  child.stdin.end(input);
  let [out, err] = ["", ""];
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (err += text));
  const [status] = await once(child, "close");
  return { status, out, err, lastLine: out.trimEnd().split("\n").at(-1) ?? "" };
}

/** Returns a fresh code of login or hosted login. */
export function loginCode({
  webhook,
  domain = new URL(webhook).hostname,
  action = "login",
  age = 0,
}: {
  webhook: string;
  domain?: string;
  action?: string;
  age?: number;
}): string {
  const ts = String(Math.floor(Date.now() / 1000) - age);
  return svcForm({ webhook, challenge: challengeText(action, domain, ts), ts });
}
