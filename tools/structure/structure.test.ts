import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ALLOWED_IMPORTS, findViolations } from "./directions.ts";
import { findReachable, readImports } from "./read-imports.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const imports = readImports(ROOT);

test("finds only imports in the allowed directions", () => {
  expect(imports.size).toBeGreaterThan(300);
  expect(findViolations(imports)).toEqual([]);
});

describe("a forbidden import", () => {
  function violationsOf(file: string, line: string) {
    const folder = mkdtempSync(join(tmpdir(), "svc-structure-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${line}\n`);
    return findViolations(readImports(folder));
  }

  test.each([
    [
      "packages/login/server/accept.ts",
      'import { env } from "../../../lib/platform/env.ts";',
      "lib/platform/env.ts",
    ],
    [
      "packages/login/database/find.ts",
      'import { endpoint } from "../server/endpoint.ts";',
      "packages/login/server/endpoint.ts",
    ],
    ["lib/hosted/api.ts", 'const { x } = await import("../console/tenant.ts");', "lib/console/tenant.ts"],
    ["packages/wallet/seed.ts", 'import type { Env } from "#lib/platform/env.ts";', "lib/platform/env.ts"],
    [
      "packages/react/login/panel.tsx",
      'export { x } from "#lib/account/adding.ts";',
      "lib/account/adding.ts",
    ],
    ["lib/platform/db.ts", 'import "../../app/healthz/route.ts";', "app/healthz/route.ts"],
  ])("is found in %s: %s", (file, line, target) => {
    expect(violationsOf(file, line)).toEqual([{ file, imports: target }]);
  });

  test("is ignored in a comment", () => {
    const line = '// import { env } from "../../../lib/platform/env.ts";';
    expect(violationsOf("packages/login/server/accept.ts", line)).toEqual([]);
  });
});

/** All other npm packages, and Node's own modules, are only for servers. */
const FOR_BROWSERS =
  /^(?:react|react-dom|next\/(?:link|navigation|font\/local)|swr|qr|qrcode\.react|idb-keyval|sugar-high|zod|@noble\/(?:curves|hashes)|@scure\/(?:base|bip32|bip39))(?:\/|$)/;
const PACKAGE = /(?:\bfrom\s*|\bimport\s*\(?\s*)"(?!@svc\/)(?<name>[^"#./][^"\n]*)"/g;

const loaded = readImports(ROOT, "loaded");

/** SQL statements and request handlers are in separate folders. */
function isServers(file: string): boolean {
  if (/\/(?:store|server)\//.test(file)) return true;
  const code = read(file).replace(/^(?:import|export) type [^;]*;/gm, "");
  return [...code.matchAll(PACKAGE)].some(({ groups }) => !FOR_BROWSERS.test(groups?.name ?? ""));
}

test("loads no server code in a browser, directly or indirectly", () => {
  const entries = [...loaded.keys()].filter((file) => /^"use client";/.test(read(file)));
  expect(entries.length).toBeGreaterThan(50);
  const found = entries.flatMap((entry) =>
    findReachable([entry], loaded)
      .filter(isServers)
      .map((file) => `${entry} loads ${file}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["a secret", "lib/platform/env.ts"],
  ["a cached secret", "packages/login/site/read-login-env.ts"],
  ["an SQL statement", "lib/hosted/sessions/create-session.ts"],
  ["a database connection", "lib/platform/database/db.ts"],
  ["a transaction", "lib/account/delete-account.ts"],
  ["a cookie", "lib/login.ts"],
  ["a package for servers", "packages/login/plugins/fast/crypto/bitcoin-message.ts"],
])("recognises server code: %s that %s loads", (_, file) =>
  expect(findReachable([file], loaded).some(isServers)).toBe(true),
);

test("finds only the use of import.meta.url in files that sites bundle", () => {
  const bundled = [...imports.keys()].filter((file) =>
    /^packages\/login\/(?!.*\.(?:test|fixture)\.)/.test(file),
  );
  expect(bundled.length).toBeGreaterThan(100);
  expect(bundled.filter((file) => /import\.meta(?!\.url\b)\.\w/.test(read(file)))).toEqual([]);
});

/** Documents about the code may mention only files and folders that exist. */

const page = read("docs/architecture.md");

/** The first column of the table below a heading, without backticks. */
function firstCells(heading: string): string[] {
  const section = page.split(/^##+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = ""]) => cell);
}

describe("docs/architecture.md", () => {
  test("mentions only files and folders that exist", () => {
    const paths = [...page.matchAll(/`((?:app|components|lib|scripts|e2e)\/[^`]+)`/g)].map(
      ([, path = ""]) => path,
    );
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test("explains the login with at most fifteen files, each of which the earlier ones load", () => {
    const files = firstCells("A login in fifteen files");
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThanOrEqual(15);
    const routes = [...page.matchAll(/`(app\/[^`]+\/route\.ts)`/g)].map(([, route = ""]) => route);
    const unreachable = files.filter((file, index) => {
      const above = [...routes, ...files.slice(0, index)].filter((other) => other !== file);
      const reachable = findReachable(above, imports);
      if (file.endsWith(".sql")) return !reachable.some((path) => calls(path, file));
      // Pages load the code in `client` folders, not the routes.
      return !routes.includes(file) && !reachable.includes(file) && !file.includes("/client/");
    });
    expect(unreachable).toEqual([]);
  });

  /** The SQL function has the name of the file. */
  function calls(source: string, sqlFile: string): boolean {
    const name = basename(sqlFile, ".sql").replaceAll("-", "_");
    const text = readFileSync(join(ROOT, source), "utf8").replace(/\s+/g, "");
    return text.includes(`sqlFunction("${name}"`);
  }

  test("lists exactly the folders that have import directions", () => {
    const folders = Object.keys(ALLOWED_IMPORTS);
    const outermost = folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
    const existing = outermost.filter((folder) => existsSync(join(ROOT, folder)));
    expect(firstCells("Folders").toSorted()).toEqual(existing.toSorted());
  });
});

test("lists import directions for every folder in lib", () => {
  const folders = [...imports.keys()].map((file) => /^lib\/[^/]+/.exec(file)?.[0]);
  const inLib = new Set(folders.filter((folder) => folder !== undefined));
  expect([...inLib].filter((folder) => !(folder in ALLOWED_IMPORTS))).toEqual([]);
});

/** Contains the application's connections, and the counters and checks that use them. */
const OF_THE_PLATFORM = /^lib\/platform\//;
const NAMES_STATEMENTS =
  /\bStatement\b[^;]*from "#packages\/login\/database\/database\.ts"|\bpool\(\)\.query\b/;

test("finds database queries in lib and app only through Prisma or SQL functions", () => {
  const files = [...imports.keys()].filter((file) => /^(?:lib|app)\/(?!.*\.(?:test|fixture)\.)/.test(file));
  expect(files.length).toBeGreaterThan(150);
  expect(files.filter((file) => !OF_THE_PLATFORM.test(file) && NAMES_STATEMENTS.test(read(file)))).toEqual(
    [],
  );
  expect('import type { Database, Statement } from "#packages/login/database/database.ts";').toMatch(
    NAMES_STATEMENTS,
  );
});

test("finds the heading of every link and citation in docs", () => {
  const sources = globSync(
    ["{app,components,lib,packages,scripts,tools,e2e,prisma,docs}/**/*.{ts,tsx,mjs,sql,prisma,md}", "*.md"],
    { cwd: ROOT },
  );
  const citations = sources.flatMap((file) => citationsOf(file).map((citation) => ({ file, ...citation })));
  expect(citations.length).toBeGreaterThan(60);
  expect(citations.filter(({ document, anchor }) => !anchorsOf(document).has(anchor))).toEqual([]);
});

test("finds every page of the documentation that another page links to", () => {
  const pages = globSync("{app,components}/**/*.{ts,tsx}", { cwd: ROOT });
  const paths = pages.flatMap((file) =>
    [...read(file).matchAll(/["`](\/docs(?:\/[\w-]+)+)/g)].map(([, path = ""]) => path),
  );
  expect(paths.length).toBeGreaterThan(10);
  const filesOf = (path: string) => {
    const [, guide] = /^\/docs\/guides\/([\w-]+)$/.exec(path) ?? [];
    if (guide) return [`docs/${guide}.md`];
    return ["page.tsx", "route.ts"].map((file) => join("app", path, file));
  };
  expect(paths.filter((path) => !filesOf(path).some((file) => existsSync(join(ROOT, file))))).toEqual([]);
});

function citationsOf(file: string): { document: string; anchor: string }[] {
  const text = read(file);
  const inCode = [...text.matchAll(/\b(docs\/[\w/-]+\.md)#([\w-]+)/g)];
  const inDocument = file.endsWith(".md") ? [...text.matchAll(/\]\(([\w./-]*\.md)?#([^)]+)\)/g)] : [];
  return [
    ...inCode.map(([, document = "", anchor = ""]) => ({ document, anchor })),
    ...inDocument.map(([, name, anchor = ""]) => ({
      document: name ? join(file, "..", name) : file,
      anchor,
    })),
  ];
}

function anchorsOf(document: string): Set<string> {
  if (!existsSync(join(ROOT, document))) return new Set();
  const text = read(document);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  const marked = [...text.matchAll(/^(?:\| )?<a id="([\w-]+)">/gm)].map(([, anchor = ""]) => anchor);
  return new Set([
    ...marked,
    ...headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  ]);
}
