import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findViolations } from "./directions.ts";
import { readImports } from "./read-imports.ts";

const ROOT = join(import.meta.dirname, "..", "..");

test("no file imports against the directions of the house", () => {
  const imports = readImports(ROOT);
  expect(imports.size).toBeGreaterThan(300);
  expect(findViolations(imports)).toEqual([]);
});

describe("a planted import", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "svc-structure-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test.each([
    ["lib/login/server/accept.ts", 'import { env } from "../../platform/env.ts";', "lib/platform/env.ts"],
    [
      "lib/login/store/find.ts",
      'import { endpoint } from "../server/endpoint.ts";',
      "lib/login/server/endpoint.ts",
    ],
    ["lib/hosted/api.ts", 'const { x } = await import("../console/tenant.ts");', "lib/console/tenant.ts"],
    ["lib/wallet/seed.ts", 'import type { Env } from "#lib/platform/env.ts";', "lib/platform/env.ts"],
    ["components/login/panel.tsx", 'export { x } from "#lib/account/adding.ts";', "lib/account/adding.ts"],
    ["lib/platform/db.ts", 'import "../../app/direct-routes.ts";', "app/direct-routes.ts"],
  ])("in %s is found: %s", (file, line, target) => {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${line}\n`);
    expect(findViolations(readImports(folder))).toEqual([{ file, imports: target }]);
  });

  test("in a comment is none", () => {
    const path = join(folder, "lib/login/server/accept.ts");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '// import { env } from "../../platform/env.ts";\n');
    expect(findViolations(readImports(folder))).toEqual([]);
  });
});
