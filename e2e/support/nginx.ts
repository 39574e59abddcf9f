import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitFor } from "#tools/kit/waiting.ts";

const START_DEADLINE_MS = 10_000;

export function hasNginx(): boolean {
  return spawnSync("nginx", ["-v"], { stdio: "ignore" }).status === 0;
}

type Nginx = { stop(): Promise<void> };

/**
 * Starts nginx.
 * @param configuration the complete configuration file, which must make nginx listen on 127.0.0.1 at `port`
 */
export async function runNginx(configuration: string, port: number): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "svc-login-nginx-"));
  mkdirSync(join(folder, "logs"));
  writeFileSync(join(folder, "nginx.conf"), configuration);
  const args = ["-p", folder, "-c", "nginx.conf", "-e", "logs/error.log", "-g", "daemon off;"];
  const child = spawn("nginx", args, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "close");
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  // Any response counts, because there might not be a server behind nginx yet.
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => child.exitCode !== null,
    );
  if ((await waitFor(answers, START_DEADLINE_MS)) === null || child.exitCode !== null) {
    await stop();
    throw new Error(`nginx does not answer: ${complaint}`);
  }
  return { stop };
}
