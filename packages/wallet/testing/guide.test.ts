import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("quotes only existing tests in docs/testing-your-site.md", () => {
  const run = read("examples/next-site/e2e/login.spec.ts") + read("e2e/wallet-fixture.spec.ts");
  const examples = read("docs/testing-your-site.md").match(/^test\("[\s\S]*?^\}\);$/gm) ?? [];
  expect(examples.length).toBeGreaterThan(3);
  expect(examples.filter((text) => !run.includes(text))).toEqual([]);
});
