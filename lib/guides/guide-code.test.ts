import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LINK_WARNINGS } from "@svc/wallet/purpose";
import { expect, onTestFinished, test } from "vitest";
import { readGuide, readListings } from "#e2e/template/read-guide.ts";
import { readApplication } from "#packages/login/cli/application.ts";
import { planInit } from "#packages/login/cli/init.ts";
import { parseGuide } from "./parse-guide.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const pageOf = (name: string) => readFileSync(join(ROOT, "docs", name), "utf8");

/** The keys are paths below a folder. */
type Project = Record<string, string>;

/** Includes the `lib/login.ts` on which they build. */
function filesOf(guide: string, atLeast: number): Project {
  const files = readGuide(pageOf(guide));
  expect(files.length).toBeGreaterThanOrEqual(atLeast);
  const login = readGuide(pageOf("existing-application.md")).find(({ path }) => path === "lib/login.ts");
  if (!login) throw new Error("existing-application.md has no lib/login.ts");
  return Object.fromEntries([login, ...files].map(({ path, text }) => [path, text]));
}

/** Incomplete files, each completed here with the code that surrounds it in a reader's file. */
const FRAGMENTS = [
  { guide: "existing-application.md", begins: 'import { PrismaPg } from "@prisma' },
  { guide: "existing-application.md", begins: "import { prisma }" },
  {
    guide: "template.md",
    begins: "onEvent: async",
    around: (text: string) => `import type { LoginOptions } from "@svc/login";
      declare function sendNotice(userId: number | string, kind: string): Promise<void>;
      export const options: Pick<LoginOptions, "onEvent"> = { ${text} };`,
  },
  {
    guide: "hosted-customer.md",
    begins: "import { hostedSource }",
    around: (text: string) => `${text}\nexport { SOURCES };`,
  },
  {
    guide: "hosted-customer.md",
    begins: "const redeemed = await",
    around: (text: string) => `import type { HostedLogin } from "@svc/login/hosted";
      declare const login: HostedLogin;
      export async function enter(request: Request, sid: string) { ${text}
        return redeemed?.publicKey;
      }`,
  },
  {
    guide: "hosted-customer.md",
    begins: "createHostedLogin(async",
    around: (text: string) => `import { createHostedLogin, type HostedLoginOptions } from "@svc/login/hosted";
      declare const others: HostedLoginOptions;
      declare function endMySessions(sid: string): Promise<void>;
      ${text.replace("// …", "...others,")}`,
  },
  {
    guide: "hosted-customer.md",
    begins: "import { createCustomer",
    around: (text: string) => `${text}\nexport { customer };`,
  },
] as const;

function fragments(): Project {
  const files = FRAGMENTS.map(({ guide, begins, ...how }, index) => {
    const { text } = readListings(pageOf(guide)).find((listing) => listing.text.startsWith(begins)) ?? {};
    if (text === undefined) throw new Error(`${guide} has no ${begins}`);
    return [`lib/fragment-${index}.ts`, "around" in how ? how.around(text) : text];
  });
  return {
    ...Object.fromEntries(files),
    "lib/prisma.ts":
      "export declare const prisma: { user: { upsert(with_: object): Promise<{ id: number }> } };",
    "generated/client.ts": `export { PrismaClient } from "${join(ROOT, "generated/prisma/client.ts")}";`,
  };
}

/** The files that `init` adds. */
function added(existing: Project): Project {
  const folder = mkdtempSync(join(tmpdir(), "svc-guide-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const dependencies = { next: "16.4.5", "next-auth": "4.24.15" };
  write(folder, {
    "app/layout.tsx": "",
    "tsconfig.json": "{}",
    "package.json": JSON.stringify({ dependencies }),
    ...existing,
  });
  const { files } = planInit(readApplication(folder));
  return { ...existing, ...Object.fromEntries(files.map(({ path, text }) => [path, text])) };
}

function write(folder: string, files: Project): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

test("compiles the guides' code and the files that init adds", () => {
  const projects: Record<string, Project> = {
    protecting: filesOf("protecting.md", 8),
    "where-it-runs": filesOf("where-it-runs.md", 2),
    "own-data": filesOf("own-data.md", 3),
    "hosted-customer": filesOf("hosted-customer.md", 5),
    fragments: fragments(),
    "init-without-sign-in": added({}),
    "init-with-sign-in": added({
      "app/api/auth/[...nextauth]/route.ts": "export {};",
      "app/login/page.tsx": "export default () => null;",
    }),
  };
  const folder = mkdtempSync(join(tmpdir(), "svc-guides-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const [name, files] of Object.entries(projects)) {
    write(join(folder, name), files);
    // Projects with models are compiled with a Prisma client that is generated from them.
    if (!Object.keys(files).some((path) => path.endsWith(".prisma"))) continue;
    const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
    const prisma = join(ROOT, "node_modules", ".bin", "prisma");
    execFileSync(prisma, ["generate"], { cwd: join(folder, name), env, stdio: "pipe" });
  }
  expect(errorsIn(folder)).toBe("");
});

test("shows the code of the examples in other-frameworks.md", () => {
  const sources = ["hono-site", "express-site"]
    .map((name) => readFileSync(join(ROOT, "examples", name, "server.ts"), "utf8"))
    .join("");
  const listings = readListings(pageOf("other-frameworks.md"))
    .map(({ text }) => text.trimEnd())
    .filter((text) => !/^(npm |Credentials|export async function GET)/.test(text));
  expect(listings).toHaveLength(5);
  for (const text of listings) expect(sources).toContain(text);
});

function errorsIn(folder: string): string {
  const options = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: { incremental: false, plugins: [], types: ["node"] },
    include: ["**/*.ts", "**/*.tsx"],
    // The package for tests is built only when it is packed. The tests of existing applications run these files.
    exclude: ["*/e2e"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
  return outputOf(() =>
    execFileSync(join(ROOT, "node_modules", ".bin", "tsc"), ["-p", folder], {
      encoding: "utf8",
      stdio: "pipe",
    }),
  );
}

function outputOf(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return String((error as { stdout?: string }).stdout ?? error);
  }
}

test("finds every error message that troubleshooting.md quotes in the code", () => {
  const code = globSync("{lib,packages,components,scripts}/**/*.{ts,tsx,mjs}", { cwd: ROOT })
    .filter((file) => !/\.test\.|\.fixture\./.test(file))
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  const quotedMessages = pageOf("troubleshooting.md").match(/(?<=^### `)[^`]+(?=`$)/gm) ?? [];
  expect(quotedMessages.length).toBeGreaterThan(15);
  const pieces = quotedMessages.flatMap((text) => text.split("…")).filter((piece) => piece.trim() !== "");
  expect(pieces.filter((piece) => !code.includes(piece))).toEqual([]);
  expect(parseGuide(pageOf("troubleshooting.md")).headings.length).toBeGreaterThan(quotedMessages.length);
});

test("includes the look-alike tables and the warning about linked keys in the wallet guide", () => {
  const guide = pageOf("wallet.md").replace(/\s+/g, " ");
  const source = readFileSync(join(ROOT, "packages", "wallet", "look-alike.ts"), "utf8");
  const lists = [...source.matchAll(/\(\n((?: {4}"[^"]+"(?: \+)?\n)+) {2}\)/g)].map(([, lines = ""]) =>
    [...lines.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => text).join(""),
  );
  expect(lists).toHaveLength(2);
  for (const list of [...lists, LINK_WARNINGS.add]) expect(guide).toContain(list);
});
