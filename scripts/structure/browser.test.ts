import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readImports } from "./read-imports.ts";

/** Code for servers stays out of browsers, where it would show how it works and carry what it holds. */

const ROOT = join(import.meta.dirname, "..", "..");

/** What no browser has: Node itself, the database, and a request's cookies. Statements and handlers stand in folders of their own. */
const SERVERS_ALONE = /^import (?!type )[^;]*?"(?:node:[^"]+|pg|@prisma\/[^"]+|next\/headers|next-auth)";$/m;

const imports = readImports(ROOT, "loaded");
const isServers = (file: string) =>
  /\/(?:store|server)\//.test(file) || SERVERS_ALONE.test(readFileSync(join(ROOT, file), "utf8"));

/** A file and all that is loaded with it. */
function loadedWith(entry: string): string[] {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    for (const target of imports.get(file) ?? []) if (imports.has(target)) loaded.add(target);
  }
  return [...loaded];
}

test("nothing that a browser loads leads to what only a server has", () => {
  const entries = [...imports.keys()].filter((file) =>
    /^"use client";/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(entries.length).toBeGreaterThan(50);
  const found = entries.flatMap((entry) =>
    loadedWith(entry)
      .filter(isServers)
      .map((file) => `${entry} loads ${file}`),
  );
  expect(found).toEqual([]);
});

test.each([
  "lib/platform/env.ts",
  "lib/hosted/sessions/create-session.ts",
  "lib/account/delete-account.ts",
  "lib/fast/issue-fast-login.ts",
])("what only a server has is found behind %s", (file) =>
  expect(loadedWith(file).some(isServers)).toBe(true),
);
