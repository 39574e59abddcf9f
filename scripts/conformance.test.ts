import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { packPackage } from "./template/pack-package.ts";

const MODULES = join(import.meta.dirname, "..", "node_modules");

test("the conformance kit is a package that runs without this application, on its own dependencies", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { file } = packPackage("conformance", folder);
  execFileSync("tar", ["-xzf", file], { cwd: folder });
  const built = join(folder, "package");
  // Of ours only what lies in its own folder went along.
  expect(readdirSync(join(built, "dist"))).toEqual(["conformance", "terminal"]);
  symlinkSync(MODULES, join(built, "node_modules"));
  const cli = join(built, "dist", "conformance", "cli.js");
  const printed = execFileSync(process.execPath, [cli, "server", "--list"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(printed).toMatch(/^1\.1-at-once +MUST/m);
});
