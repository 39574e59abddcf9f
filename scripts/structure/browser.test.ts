import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reachableFrom, readImports } from "./read-imports.ts";

/** Code for servers stays out of browsers, where it would show how it works and carry what it holds. */

const ROOT = join(import.meta.dirname, "..", "..");

/** What a browser may load of npm. All else, Node's own modules included, is for servers. */
const FOR_BROWSERS =
  /^(?:react|react-dom|next\/(?:link|navigation)|swr|lucide-react|qr|qrcode\.react|idb-keyval|sugar-high|zod|@noble\/(?:curves|hashes)|@scure\/(?:base|bip32|bip39))(?:\/|$)/;
const PACKAGE = /(?:\bfrom\s*|\bimport\s*\(?\s*)"(?!@svc\/)(?<name>[^"#./][^"\n]*)"/g;

const imports = readImports(ROOT, "loaded");

/** Statements and handlers stand in folders of their own. */
function isServers(file: string): boolean {
  if (/\/(?:store|server)\//.test(file)) return true;
  const code = readFileSync(join(ROOT, file), "utf8").replace(/^(?:import|export) type [^;]*;/gm, "");
  return [...code.matchAll(PACKAGE)].some(({ groups }) => !FOR_BROWSERS.test(groups?.name ?? ""));
}

test("nothing that a browser loads leads to what only a server has", () => {
  const entries = [...imports.keys()].filter((file) =>
    /^"use client";/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(entries.length).toBeGreaterThan(50);
  const found = entries.flatMap((entry) =>
    reachableFrom([entry], imports)
      .filter(isServers)
      .map((file) => `${entry} loads ${file}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["a secret", "lib/platform/env.ts"],
  ["a kept secret", "lib/login/site/read-login-env.ts"],
  ["a statement", "lib/hosted/sessions/create-session.ts"],
  ["a connection", "lib/platform/database/db.ts"],
  ["a transaction", "lib/account/delete-account.ts"],
  ["a cookie", "lib/account/login.ts"],
  ["a package for servers", "lib/login/fast/crypto/bitcoin-message.ts"],
])("%s is found behind %s", (_, file) => expect(reachableFrom([file], imports).some(isServers)).toBe(true));
