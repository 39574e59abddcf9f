import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type PackageSource, packPackage } from "./pack-package.ts";
import { PACKAGES } from "./packages.ts";
import { HOSTED, SITE } from "./templates.ts";
import { writeTemplate } from "./write-template.ts";

const MAX_FILES = 40;
const TEMPLATES = [
  { what: "a site", template: SITE, maxLines: 400, counted: /./ },
  // Its code and configuration. The list of its packages is neither.
  { what: "a customer of the hosted API", template: HOSTED, maxLines: 100, counted: /^(?!package\.json$)/ },
];
const TEMPLATE = join(import.meta.dirname, "..", "template.ts");

describe("npm run template", () => {
  const template = (...args: string[]) =>
    spawnSync(process.execPath, [TEMPLATE, ...args], { encoding: "utf8" });
  const folder = mkdtempSync(join(tmpdir(), "svc-template-refused-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("refuses a folder that is not empty, in a sentence, and writes nothing", () => {
    const occupied = join(folder, "occupied");
    mkdirSync(occupied);
    writeFileSync(join(occupied, "notes.txt"), "mine");
    const { status, stderr } = template(occupied);
    expect(status).toBe(1);
    expect(stderr).toBe(
      `${occupied} is not empty. Name a folder that does not exist yet, or an empty one.\n`,
    );
    expect(readdirSync(occupied)).toEqual(["notes.txt"]);
  });

  test("refuses a file, and a call without a folder or with two", () => {
    writeFileSync(join(folder, "file"), "mine");
    expect(template(join(folder, "file"))).toMatchObject({ status: 1 });
    expect(template()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^It takes one argument.*npm run template -- DIR$/m),
    });
    expect(template(join(folder, "a"), join(folder, "b"))).toMatchObject({ status: 1 });
    expect(template("--hosted")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^It takes one argument/),
    });
    expect(readdirSync(folder).toSorted()).toEqual(["file", "occupied"]);
  });
});

const packed = mkdtempSync(join(tmpdir(), "svc-template-packed-"));
afterAll(() => rmSync(packed, { recursive: true }));
const packages = new Map<PackageSource, ReturnType<typeof packPackage>>();

/** Packs a package once for both templates. */
function packOnce(source: PackageSource, into: string) {
  const made = packages.get(source) ?? packPackage(source, packed);
  packages.set(source, made);
  cpSync(join(packed, made.file), join(into, made.file));
  return made;
}

/** What a module imports from elsewhere than its own folder and Node. */
function importsOf(text: string): string[] {
  const imports = [...text.matchAll(/(?:from|import\() ?"([^"]+)"/g)].map(([, imported = ""]) => imported);
  return imports.filter((imported) => !/^(\.|node:)/.test(imported));
}

/** `@noble/curves` of `@noble/curves/secp256k1.js`. */
function packageOf(imported: string): string {
  const parts = imported.startsWith("@") ? 2 : 1;
  return imported.split("/").slice(0, parts).join("/");
}

describe.each(TEMPLATES)("what is written for $what", ({ template, maxLines, counted }) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-template-written-"));
  const site = join(folder, "below", "site");
  let paths: string[];
  const read = (path: string) => readFileSync(join(site, path), "utf8");

  beforeAll(async () => {
    await writeTemplate(template, site, packOnce);
    paths = readdirSync(site, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(site.length + 1));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test(`is at most ${MAX_FILES} files, images apart`, () => {
    expect(paths.filter((path) => !path.endsWith(".svg")).length).toBeLessThanOrEqual(MAX_FILES);
  });

  test(`is at most ${maxLines} lines that are neither copied nor test nor documentation`, () => {
    const own = paths.filter(
      (path) =>
        counted.test(path) &&
        !/\.(md|svg|tgz)$|^e2e\/|^playwright/.test(path) &&
        !/Copied from/.test(read(path)),
    );
    const lines = own.reduce((sum, path) => sum + read(path).split("\n").length - 1, 0);
    expect(own.length).toBeGreaterThan(10);
    expect(lines).toBeLessThanOrEqual(maxLines);
  });

  test("imports what it has: its own files by its own alias, and packages that it names", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json"));
    const packages = Object.keys({ ...dependencies, ...devDependencies });
    for (const path of paths.filter((each) => /\.(tsx?|mjs)$/.test(each))) {
      for (const imported of importsOf(read(path))) {
        if (imported.startsWith("@/")) expect(paths, path).toContain(imported.slice(2));
        else expect(packages, path).toContain(packageOf(imported));
      }
    }
  });

  test("brings the packages as files in the folder", () => {
    const { dependencies } = JSON.parse(read("package.json"));
    for (const name of ["@svc/login", "@svc/postgres"]) {
      expect(paths).toContain(dependencies[name].replace(/^file:/, ""));
    }
  });
});

test("the packages name every package that they import, since not every site's own are within their reach", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-template-unpacked-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const source of PACKAGES) {
    spawnSync("tar", ["-xzf", join(packed, packOnce(source, folder).file), "-C", folder]);
    const read = (path: string) => readFileSync(join(folder, "package", path), "utf8");
    const { name, imports, dependencies, peerDependencies } = JSON.parse(read("package.json"));
    const own = [name, ...Object.keys(imports).map(packageOf)];
    const named = new Set([...own, ...Object.keys({ ...dependencies, ...peerDependencies })]);
    const modules = readdirSync(join(folder, "package"), { recursive: true, encoding: "utf8" }).filter(
      (path) => /\.m?js$/.test(path),
    );
    const imported = new Set(modules.flatMap((path) => importsOf(read(path)).map(packageOf)));
    expect(imported.size, name).toBeGreaterThan(0);
    expect(
      [...imported].filter((each) => !named.has(each)),
      name,
    ).toEqual([]);
    rmSync(join(folder, "package"), { recursive: true });
  }
});

test("a template that cannot be written leaves nothing behind", async () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-template-failed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "file"), "in the way");
  await expect(writeTemplate(SITE, join(folder, "file", "site"))).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(["file"]);
});
