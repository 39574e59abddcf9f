import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("what a package starts with runs on Node as it is, without the conditions that npm's scripts set", () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "serve-built.ts")], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: "production",
    },
    encoding: "utf8",
  });
  expect(stderr).toContain("Not started:\nDATABASE_URL: required in a package");
  expect(status).toBe(1);
});
