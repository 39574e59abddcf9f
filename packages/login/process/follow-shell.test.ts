import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";

const SERVER = `const { followShell } = await import(${JSON.stringify(join(import.meta.dirname, "follow-shell.ts"))});
  followShell();
  process.on("SIGTERM", () => { console.log("ends"); process.exit(0); });
  setInterval(() => {}, 1_000);
  console.log("serves");`;
const DEV = `const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, ["--input-type=module", "--eval", process.env.SERVER], { stdio: "inherit" });
  process.on("SIGTERM", () => { child.kill("SIGTERM"); process.exit(0); });`;

/** npm's shell does not forward signals. */
async function runInShell(script: string, code: string, NODE_ENV: "production" | "development") {
  const command = `"$NODE" --input-type=module --eval "$CODE"; :`;
  const shell = spawn("/bin/sh", ["-c", command], {
    detached: true,
    env: {
      NODE_ENV,
      PATH: process.env.PATH,
      NODE: process.execPath,
      CODE: code,
      SERVER,
      npm_lifecycle_script: script,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => {
    try {
      process.kill(-(shell.pid ?? 0), "SIGKILL");
    } catch {
      // All processes have already ended.
    }
  });
  let output = "";
  shell.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output, { timeout: 20_000 }).toContain("serves");
  return { shell, output: () => output };
}

test.each([
  ["next start", SERVER, "production"],
  ["next dev", DEV, "development"],
] as const)("ends `%s` after npm's shell has ended", async (script, code, mode) => {
  const { shell, output } = await runInShell(script, code, mode);
  shell.kill("SIGTERM");
  await expect.poll(output, { timeout: 20_000 }).toContain("ends");
});

test.each(["next start &", "./start.sh", "nohup next start"])(
  "does not end a program that is meant to outlive its shell: %s",
  async (script) => {
    const { shell, output } = await runInShell(script, SERVER, "production");
    shell.kill("SIGTERM");
    // The process needs time to notice that its shell has ended.
    await sleep(1_500);
    expect(output()).not.toContain("ends");
  },
);
