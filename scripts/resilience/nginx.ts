import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#e2e/support/start-app.ts";
import { Skipped, type Stage } from "./stage.ts";
import { waitFor } from "./waiting.ts";

const CONFIGURATION = join(import.meta.dirname, "..", "..", "deploy", "nginx.conf");

/**
 * Puts nginx in front of processes of the application, with the configuration of `deploy/` and these ports in it.
 * @returns its origin
 * @throws {Skipped} where there is no nginx
 */
export async function startNginx(stage: Stage, ports: readonly [number, number]): Promise<string> {
  if (!hasProgram("nginx")) ensurePackage("nginx-light", "nginx");
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "svc-login-nginx-"));
  mkdirSync(join(folder, "logs"));
  const configuration = readFileSync(CONFIGURATION, "utf8")
    .replace("127.0.0.1:3001", `127.0.0.1:${ports[0]}`)
    .replace("127.0.0.1:3002", `127.0.0.1:${ports[1]}`)
    .replace("listen 3000", `listen 127.0.0.1:${port}`);
  writeFileSync(join(folder, "nginx.conf"), configuration);
  const args = ["-p", folder, "-c", "nginx.conf", "-e", "logs/error.log", "-g", "daemon off;"];
  const child = spawn("nginx", args, { stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  stage.onEnd(async () => {
    child.kill("SIGTERM");
    await waitFor(() => child.exitCode !== null || child.signalCode !== null, 5_000);
    rmSync(folder, { recursive: true, force: true });
  });
  const origin = `http://localhost:${port}`;
  const up = await waitFor(async () => {
    if (child.exitCode !== null) throw new Error(`nginx: ${complaint}`);
    // Whatever it says: there is nothing behind it yet.
    return fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  }, 10_000);
  if (!up) throw new Error(`nginx does not answer: ${complaint}`);
  return origin;
}

export function hasProgram(name: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;
}

/**
 * Installs a Debian package where that is possible.
 * @throws {Skipped} where it is not
 */
export function ensurePackage(name: string, program: string): void {
  if (process.getuid?.() !== 0 || !hasProgram("apt-get")) {
    throw new Skipped(`needs ${program}: install the package ${name}, or run as root on Debian`);
  }
  spawnSync("apt-get", ["update"], { stdio: "ignore" });
  spawnSync("apt-get", ["install", "-y", name], { stdio: "ignore" });
  if (!hasProgram(program)) throw new Skipped(`needs ${program}; the package ${name} could not be installed`);
}
