import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { ConfigurationError } from "./env-values.ts";
import { keptSecret } from "./kept-secret.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-secret-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

test("is made once, for its owner's eyes alone, and nothing is left beside it", () => {
  const secret = keptSecret(folder);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(keptSecret(folder)).toBe(secret);
  expect(readdirSync(folder)).toEqual(["nextauth-secret"]);
  expect(statSync(join(folder, "nextauth-secret")).mode & 0o777).toBe(0o600);
});

test.each(["", "\n", "short", "x".repeat(40)])("one that was damaged to %j signs nothing", (text) => {
  writeFileSync(join(folder, "nextauth-secret"), text);
  expect(() => keptSecret(folder)).toThrow(ConfigurationError);
  expect(() => keptSecret(folder)).toThrow(/nextauth-secret: expected the secret/);
});
