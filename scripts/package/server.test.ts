import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

test("names the required version if Node is too old to run TypeScript", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-package-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = join(folder, "scripts", "server");
  mkdirSync(server, { recursive: true });
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
  cpSync(join(import.meta.dirname, "server.js"), join(folder, "server.js"));
  writeFileSync(join(server, "serve-app.ts"), "export const serveApp = (how: object) => console.log(how);");
  const start = (...flags: string[]) =>
    spawnSync(process.execPath, [...flags, join(folder, "server.js")], { encoding: "utf8" });
  expect(start()).toMatchObject({ status: 0, stdout: "{ development: false, packaged: true }\n" });
  expect(start("--no-strip-types")).toMatchObject({
    status: 1,
    stderr: `Not started: Node 22.18 or newer is needed, and this is ${process.versions.node}.\n`,
  });
});
