import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "tailwindcss";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readPinnedVersion } from "../bootstrap/own-node.mjs";
import type { packPackage } from "./pack-package.ts";
import { updateTemplate } from "./update-template.ts";
import { EXAMPLES, PACKAGES, writeTemplate } from "./write-template.ts";

const MAX_FILES = 50;
const TEMPLATES = [
  { what: "a site", template: "site", maxLines: 400, counted: /./ },
  // Counts code and configuration, but not the list of packages.
  { what: "a customer of the hosted API", template: "hosted", maxLines: 100, counted: /^(?!package\.json$)/ },
] as const;
const TEMPLATE = join(import.meta.dirname, "..", "template.ts");

const template = (...args: string[]) =>
  spawnSync(process.execPath, [TEMPLATE, ...args], { encoding: "utf8" });

/** The folder to which the command writes. The packages in it are copied by the other tests. */
const packed = mkdtempSync(join(tmpdir(), "svc-template-packed-"));
let command: ReturnType<typeof template>;
beforeAll(() => {
  command = template(packed, "--hosted");
});
afterAll(() => rmSync(packed, { recursive: true }));

const copyPackage: typeof packPackage = (source, into) => {
  const name = `@svc/${source}`;
  const file = readdirSync(packed).find((path) => path.startsWith(`svc-${source}-`)) ?? "";
  cpSync(join(packed, file), join(into, file));
  return { name, file };
};

describe("npm run template", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-template-refused-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("writes a customer of the hosted API with --hosted, and names the next commands", () => {
    expect(command).toMatchObject({ status: 0, stdout: expect.stringMatching(/npm install\n.*SVC_API_KEY/) });
    const { name } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
    expect(name).toBe("hosted-login-site");
  });

  test("refuses a folder that is not empty, without writing to it", () => {
    const occupiedFolder = join(folder, "occupied");
    mkdirSync(occupiedFolder);
    writeFileSync(join(occupiedFolder, "notes.txt"), "mine");
    const { status, stderr } = template(occupiedFolder);
    expect(status).toBe(1);
    expect(stderr).toBe(
      `${occupiedFolder} is not empty. Name a folder that does not exist yet, or an empty one.\n`,
    );
    expect(readdirSync(occupiedFolder)).toEqual(["notes.txt"]);
  });

  test("refuses a file, a missing folder and two folders", () => {
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

/** Omits the module's own folder and Node.js. */
function importsOf(text: string): string[] {
  const imports = [...text.matchAll(/(?:from|import\() ?"([^"]+)"/g)].map(([, imported = ""]) => imported);
  return imports.filter((imported) => !/^(\.|node:)/.test(imported));
}

/** `@noble/curves` for `@noble/curves/secp256k1.js`. */
function packageOf(imported: string): string {
  const parts = imported.startsWith("@") ? 2 : 1;
  return imported.split("/").slice(0, parts).join("/");
}

test.each(Object.values(EXAMPLES))("requires the same package versions as this repository: %s", (example) => {
  const read = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const manifest = read(join(import.meta.dirname, "../.."));
  const site = read(example);
  const versions = { ...manifest.dependencies, ...manifest.devDependencies, node: readPinnedVersion() };
  for (const [name, version] of Object.entries({ ...site.dependencies, ...site.devDependencies }))
    expect(version, name).toBe(name.startsWith("@svc/") ? manifest.version : versions[name]);
  expect(site.overrides.elliptic).toBe(manifest.overrides.elliptic);
  const { node: _, ...allowed } = site.allowScripts;
  expect(manifest.allowScripts).toMatchObject(allowed);
});

describe.each(TEMPLATES)("a folder that was generated for $what", ({ template, maxLines, counted }) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-template-written-"));
  const site = join(folder, "below", "site");
  let paths: string[];
  const read = (path: string) => readFileSync(join(site, path), "utf8");

  beforeAll(async () => {
    await writeTemplate(template, site, copyPackage);
    paths = readdirSync(site, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(site.length + 1));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("has the permissions of any new folder", () => {
    expect(statSync(site).mode).toBe(statSync(dirname(site)).mode);
  });

  test(`contains at most ${MAX_FILES} files, without images`, () => {
    expect(paths.filter((path) => !path.endsWith(".svg")).length).toBeLessThanOrEqual(MAX_FILES);
  });

  test(`contains at most ${maxLines} lines of its own logic`, () => {
    const ownFiles = paths.filter(
      (path) =>
        counted.test(path) &&
        !/\.(md|svg|tgz)$|^(e2e|components|texts)[./]|^playwright|^app\/\w+\.css$|^\.svc-template/.test(path),
    );
    const lines = ownFiles.reduce((sum, path) => sum + read(path).split("\n").length - 1, 0);
    expect(ownFiles.length).toBeGreaterThan(10);
    expect(lines).toBeLessThanOrEqual(maxLines);
  });

  test("imports only its own files and the packages in its package.json", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json"));
    const packages = Object.keys({ ...dependencies, ...devDependencies });
    for (const path of paths.filter((path) => /\.(tsx?|mjs)$/.test(path))) {
      for (const imported of importsOf(read(path))) {
        if (imported.startsWith("@/")) expect(paths, path).toContain(imported.slice(2));
        else expect(packages, path).toContain(packageOf(imported));
      }
    }
  });

  test.runIf(template === "site")(
    "allows all of Tailwind's classes alongside the login's styles",
    async () => {
      const loadStylesheet = async (id: string, base: string) => {
        const path = /^\./.test(id)
          ? join(base, id)
          : fileURLToPath(import.meta.resolve(id === "tailwindcss" ? "tailwindcss/index.css" : id));
        return { path, base: dirname(path), content: readFileSync(path, "utf8") };
      };
      const { build } = await compile(read("app/globals.css"), { base: join(site, "app"), loadStylesheet });
      const css = build(["bg-indigo-600", "text-white", "text-lg", "font-bold", "rounded-xl", "shadow-md"]);
      for (const name of ["color-indigo-600", "color-white", "text-lg", "font-weight-bold", "radius-xl"])
        expect(css).toMatch(new RegExp(`--${name}: (?!initial)`));
      expect(css).toContain(".shadow-md");
      expect(build(["bg-card", "text-title"])).toMatch(/\.bg-card \{[\s\S]*\.text-title \{/);
    },
  );

  test("needs no update immediately after it has been written", async () => {
    const write: typeof writeTemplate = (written, target) => writeTemplate(written, target, copyPackage);
    const before = read("package.json");
    expect(await updateTemplate(site, { write })).toEqual({
      ...{
        replaced: [],
        added: [],
        deleted: [],
        obsolete: [],
        left: [],
        manifest: { updated: [], left: [] },
      },
      ...{ closed: [], open: [] },
    });
    expect(read("package.json")).toBe(before);
  });

  test("mentions only its own files in comments and code", () => {
    const texts = paths.filter((path) => /\.(tsx?|mjs|css)$/.test(path));
    const namedFiles = texts.flatMap((path) =>
      [...read(path).matchAll(/\b(?:app|components|lib|scripts)\/[\w/[\].-]+\.\w+/g)].map(([name]) => name),
    );
    expect(namedFiles.length).toBeGreaterThan(5);
    expect(namedFiles.filter((name) => !paths.includes(name))).toEqual([]);
  });

  test("has an icon in the primary colour of its styles", () => {
    const looks = paths.filter((path) => path.endsWith(".css")).map(read);
    const [, primary = "none"] = /-primary: light-dark\((#\w+)/.exec(looks.join("")) ?? [];
    expect(read("app/icon.svg")).toContain(`stroke="${primary}"`);
  });

  test("replaces elliptic, which its packages would install", () => {
    expect(JSON.parse(read("package.json")).overrides).toEqual({
      elliptic: expect.stringMatching(/^npm:@noble\/curves@\d/),
    });
  });

  test("contains the login's packages as tarballs", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json"));
    const files = [dependencies["@svc/login"], dependencies["@svc/react"], devDependencies["@svc/postgres"]];
    for (const file of files) {
      expect(paths).toContain(file.replace(/^file:/, ""));
    }
  });
});

test("requires every package that the login's packages import", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-template-unpacked-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const source of PACKAGES) {
    spawnSync("tar", ["-xzf", join(packed, copyPackage(source, folder).file), "-C", folder]);
    const read = (path: string) => readFileSync(join(folder, "package", path), "utf8");
    if (source !== "postgres") expect(read("CHANGELOG.md")).toMatch(/^# Changelog/);
    const { name, dependencies, peerDependencies } = JSON.parse(read("package.json"));
    const allowedPackages = new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies })]);
    const modules = readdirSync(join(folder, "package"), { recursive: true, encoding: "utf8" }).filter(
      (path) => /\.m?js$/.test(path),
    );
    // Node.js supports these expressions, but Next.js does not if it bundles the package.
    const unbundled = modules.filter((path) => /[^`]import\.meta\.(?:dirname|filename)/.test(read(path)));
    expect(unbundled, name).toEqual([]);
    const imported = new Set(modules.flatMap((path) => importsOf(read(path)).map(packageOf)));
    expect(imported.size, name).toBeGreaterThan(0);
    expect(
      [...imported].filter((path) => !allowedPackages.has(path)),
      name,
    ).toEqual([]);
    rmSync(join(folder, "package"), { recursive: true });
  }
});

test("leaves no files behind if a site cannot be written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-template-failed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "file"), "in the way");
  await expect(writeTemplate("site", join(folder, "file", "site"))).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(["file"]);
});
