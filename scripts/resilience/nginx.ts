import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runNginx } from "#e2e/support/nginx.ts";
import { freePort } from "#e2e/support/start-app.ts";
import { ensureProgram } from "./debian-package.ts";
import type { Stage } from "./stage.ts";

const CONFIGURATION = join(import.meta.dirname, "..", "..", "deploy", "nginx.conf");

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
