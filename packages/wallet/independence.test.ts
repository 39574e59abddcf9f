import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL(".", import.meta.url);
const sources = readdirSync(folder).filter((name) => /(?<!\.test|\.fixture)\.ts$/.test(name));
const ALLOWED = /^(\.\/[a-z-]+\.ts|@noble\/(curves|hashes)\/.+|@scure\/(bip39|bip32|base)(\/.+)?)$/;

test("imports only its own files and five packages, and does not need Node", () => {
  expect(sources.length).toBeGreaterThan(5);
  for (const name of sources) {
    const source = readFileSync(new URL(name, folder), "utf8");
    for (const [, specifier] of source.matchAll(/\bfrom\s+"([^"]+)"|import\("([^"]+)"\)/g)) {
      expect(specifier, name).toMatch(ALLOWED);
    }
    expect(source, name).not.toMatch(/\b(Buffer|process|require|localStorage|document)\b[.(]/);
  }
});
