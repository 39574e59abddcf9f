import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LINK_WARNINGS } from "@svc/wallet/purpose";
import { expect, onTestFinished, test } from "vitest";
import { readGuide, readListings } from "#e2e/template/read-guide.ts";
import { readApplication } from "#packages/login/cli/application.ts";
import { planInit, writeFiles } from "#packages/login/cli/init.ts";
import { parseGuide } from "./parse-guide.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const pageOf = (name: string) => readFileSync(join(ROOT, "docs", name), "utf8");

test.each([
  { guide: "protecting.md", atLeast: 8 },
  { guide: "where-it-runs.md", atLeast: 2 },
  { guide: "own-data.md", atLeast: 3 },
  { guide: "hosted-customer.md", atLeast: 5 },
])("compiles the files of $guide together with the package", ({ guide, atLeast }) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-guide-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const login = readGuide(pageOf("existing-application.md")).find(({ path }) => path === "lib/login.ts");
  const files = readGuide(pageOf(guide));
  expect(files.length).toBeGreaterThanOrEqual(atLeast);
  // Files of the guide replace those of the setup that it starts from.
  for (const { path, text } of [login ?? { path: "lib/login.ts", text: "" }, ...files]) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  // Compiled with a Prisma client of the guide's own models.
  if (files.some(({ path }) => path.endsWith(".prisma"))) {
    const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
    execFileSync(join(ROOT, "node_modules", ".bin", "prisma"), ["generate"], {
      cwd: folder,
      env,
      stdio: "pipe",
    });
  }
  expect(errorsIn(folder)).toBe("");
});

/** Parts of files, completed with the code that surrounds them in a reader's file. */
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

test("compiles the parts of files in guides in their context", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-guide-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [index, { guide, begins, ...how }] of FRAGMENTS.entries()) {
    const { text } = readListings(pageOf(guide)).find((listing) => listing.text.startsWith(begins)) ?? {};
    if (text === undefined) throw new Error(`${guide} has no ${begins}`);
    write(`lib/fragment-${index}.ts`, "around" in how ? how.around(text) : text);
  }
  write(
    "lib/prisma.ts",
    "export declare const prisma: { user: { upsert(with_: object): Promise<{ id: number }> } };",
  );
  write("generated/client.ts", `export { PrismaClient } from "${join(ROOT, "generated/prisma/client.ts")}";`);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
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

test.each<{ what: string; files: Record<string, string> }>([
  { what: "an application without a sign-in", files: {} },
  {
    what: "an application with NextAuth and a login page",
    files: {
      "app/api/auth/[...nextauth]/route.ts": "export {};",
      "app/login/page.tsx": "export default () => null;",
    },
  },
])("the files that init adds to $what compile", ({ files }) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-guide-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const dependencies = { next: "16.4.5", "next-auth": "4.24.15" };
  const existing = {
    "app/layout.tsx": "",
    "tsconfig.json": "{}",
    "package.json": JSON.stringify({ dependencies }),
  };
  for (const [path, text] of Object.entries({ ...existing, ...files })) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFiles(folder, planInit(readApplication(folder)).files);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  expect(errorsIn(folder)).toBe("");
});

/** The compiler's errors for a folder's files. */
function errorsIn(folder: string): string {
  const options = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: { incremental: false, plugins: [], types: ["node"] },
    include: ["**/*.ts", "**/*.tsx"],
    // The package for tests is made when it is packed; existing applications run these.
    exclude: ["e2e"],
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

test("quotes only errors in troubleshooting that exist in the code", () => {
  const code = globSync("{lib,packages,components,scripts}/**/*.{ts,tsx,mjs}", { cwd: ROOT })
    .filter((file) => !/\.test\.|\.fixture\./.test(file))
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  const quoted = pageOf("troubleshooting.md").match(/(?<=^### `)[^`]+(?=`$)/gm) ?? [];
  expect(quoted.length).toBeGreaterThan(15);
  const pieces = quoted.flatMap((text) => text.split("…")).filter((piece) => piece.trim() !== "");
  expect(pieces.filter((piece) => !code.includes(piece))).toEqual([]);
  expect(parseGuide(pageOf("troubleshooting.md")).headings.length).toBeGreaterThan(quoted.length);
});

test("includes the lists of look-alikes and the warning about linking a key in the wallet guide", () => {
  const guide = pageOf("wallet.md").replace(/\s+/g, " ");
  const source = readFileSync(join(ROOT, "packages", "wallet", "look-alike.ts"), "utf8");
  const lists = [...source.matchAll(/\(\n((?: {4}"[^"]+"(?: \+)?\n)+) {2}\)/g)].map(([, lines = ""]) =>
    [...lines.matchAll(/"([^"]+)"/g)].map(([, text = ""]) => text).join(""),
  );
  expect(lists).toHaveLength(2);
  for (const list of [...lists, LINK_WARNINGS.add]) expect(guide).toContain(list);
});
