import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { describeUpdate } from "./describe-update.ts";
import { ORIGINALS_FILE, recordGenerated } from "./originals.ts";
import { updateTemplate } from "./update-template.ts";

type Files = Record<string, string>;

const LANGUAGES = "components/words/languages.ts";
const manifest = (login: string, next: string, more: object = {}) => ({
  scripts: { dev: "next dev" },
  dependencies: { "@svc/login": `file:svc-login-${login}.tgz`, next, react: "19.3.1", swr: "2.5.1", ...more },
});
const lines = (...names: string[]) => names.map((name) => `${name}\n`).join("");

/** The generated files, in this version and the next. */
const OLD: Files = {
  "package.json": JSON.stringify(manifest("0.1.0", "16.4.5")),
  "svc-login-0.1.0.tgz": "old package",
  "app/page.tsx": lines("one", "two", "three", "four", "five", "six"),
  "app/layout.tsx": "layout\n",
  "components/ui.tsx": "// Copied from svc-login 0.1.0, components/ui. It is yours to change.\nui\n",
  [LANGUAGES]: "export const split = (each) => each.split(/\\s*;\\s*q=/);\n",
};
const NEW: Files = {
  ...OLD,
  "package.json": JSON.stringify({
    ...manifest("0.2.0", "16.4.9", { qr: "1.0.0" }),
    overrides: { elliptic: "npm:@noble/curves@2.4.0" },
  }),
  "svc-login-0.2.0.tgz": "new package",
  "app/page.tsx": lines("one", "two", "three", "four", "five", "six, newer"),
  "app/layout.tsx": "layout, newer\n",
  "app/new.tsx": "new\n",
  "components/ui.tsx": "// Copied from svc-login 0.2.0, components/ui. It is yours to change.\nui, newer\n",
  [LANGUAGES]: "export const split = (each) => each.split(';');\n",
};
delete NEW["svc-login-0.1.0.tgz"];

let folder: string;
let site: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-update-test-"));
  site = join(folder, "site");
  generate(OLD, site);
});
afterEach(() => rmSync(folder, { recursive: true }));

function generate(files: Files, target: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), text);
  }
  recordGenerated(target, "site");
}

const read = (path: string) => readFileSync(join(site, path), "utf8");
const change = (path: string, text: string) => writeFileSync(join(site, path), text);
const update = (files = NEW, merged: string[] = []) =>
  updateTemplate(site, { merged, write: async (_, target) => generate(files, target) });

/** Makes the site look as if it had been generated before originals were stored. */
function forgetOriginals(): void {
  const { originals, ...note } = JSON.parse(read(ORIGINALS_FILE));
  expect(originals).toBeTypeOf("string");
  change(ORIGINALS_FILE, JSON.stringify(note));
}

const git = (...args: string[]) =>
  spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: site });

test("replaces the packages and every file that its owner has not changed", async () => {
  change("app/page.tsx", "mine\n");
  change("app/looks.css", "/* mine */\n");
  rmSync(join(site, "app/layout.tsx"));
  const { replaced, added, deleted } = await update();
  expect({ replaced, added, deleted }).toEqual({
    ...{ replaced: ["components/ui.tsx", LANGUAGES], added: ["app/new.tsx"], deleted: ["app/layout.tsx"] },
  });
  expect(read("components/ui.tsx")).toBe(NEW["components/ui.tsx"]);
  expect(read("app/page.tsx")).toBe("mine\n");
  expect(read("app/looks.css")).toBe("/* mine */\n");
  expect(existsSync(join(site, "app/layout.tsx"))).toBe(false);
  expect(readdirSync(site).filter((name) => name.endsWith(".tgz"))).toEqual(["svc-login-0.2.0.tgz"]);
  expect(await update()).toMatchObject({ replaced: [], added: [], deleted: [] });
});

describe("a file that its owner has changed", () => {
  const MINE = lines("one, mine", "two", "three", "four", "five", "six");

  test("gets a patch that contains this version's changes but not the owner's own", async () => {
    change("app/page.tsx", MINE);
    const first = await update();
    expect(first.left).toEqual([
      { path: "app/page.tsx", isOriginalKnown: true, patch: expect.stringMatching(/^-six\n\+six, newer$/m) },
    ]);
    const [{ patch = "" } = {}] = first.left;
    expect(patch).not.toMatch(/^[-+]one/m);
    expect(read("app/page.tsx")).toBe(MINE);
    expect((await update()).left).toEqual(first.left);

    const applied = spawnSync("patch", ["-p1"], { cwd: site, input: describeUpdate(site, first) });
    expect(String(applied.stdout)).toMatch(/^patching file '?app\/page\.tsx'?$/m);
    expect(read("app/page.tsx")).toBe(lines("one, mine", "two", "three", "four", "five", "six, newer"));
    expect((await update()).left).toEqual([]);
  });

  test("gets a patch that shows both versions where they conflict", async () => {
    change("app/page.tsx", lines("one", "two", "three", "four", "five", "six, mine"));
    const [left] = (await update()).left;
    expect(left?.patch).toMatch(
      /^\+<<<<<<< yours\n six, mine\n\+=======\n\+six, newer\n\+>>>>>>> this version$/m,
    );
  });

  test("gets no patch once its owner has marked it as merged", async () => {
    change("app/page.tsx", MINE);
    expect((await update(NEW, ["app/page.tsx"])).left).toEqual([]);
    expect((await update()).left).toEqual([]);
    const later = {
      ...NEW,
      "app/page.tsx": lines("one", "two", "three", "four", "five, later", "six, newer"),
    };
    const [left] = (await update(later)).left;
    expect(left?.patch).toMatch(/^\+five, later$/m);
    await expect(update(NEW, ["app/none.tsx"])).rejects.toThrow(
      "This version generates no file app/none.tsx.",
    );
  });
});

describe("package.json", () => {
  const merged = () => JSON.parse(read("package.json"));

  test("is updated where its owner has not changed it", async () => {
    const { dependencies, ...rest } = JSON.parse(OLD["package.json"] ?? "");
    const { swr: _, react, ...kept } = dependencies;
    change(
      "package.json",
      JSON.stringify({ ...rest, dependencies: { ...kept, mine: "1" }, devDependencies: { react } }),
    );
    const newer = { ...NEW, "package.json": (NEW["package.json"] ?? "").replace("19.3.1", "19.4.0") };
    const { manifest } = await update(newer);
    expect(manifest.updated.map(({ entry }) => entry)).toEqual([
      ...["dependencies.next", "devDependencies.react", "dependencies.qr", "overrides.elliptic"],
    ]);
    expect(manifest.left).toEqual([]);
    expect(merged()).toEqual({
      scripts: { dev: "next dev" },
      dependencies: { "@svc/login": "file:svc-login-0.2.0.tgz", next: "16.4.9", mine: "1", qr: "1.0.0" },
      devDependencies: { react: "19.4.0" },
      overrides: { elliptic: "npm:@noble/curves@2.4.0" },
    });
  });

  test("retains the versions that its owner chose, and reports them at each update", async () => {
    change("package.json", (OLD["package.json"] ?? "").replace("16.4.5", "16.4.7"));
    const left = [{ entry: "dependencies.next", yours: "16.4.7", generated: "16.4.5", current: "16.4.9" }];
    const first = await update();
    expect(first.manifest.left).toEqual(left);
    expect(merged().dependencies.next).toBe("16.4.7");
    expect(describeUpdate(site, first)).toContain(
      "  dependencies.next: yours 16.4.7, generated 16.4.5, this version 16.4.9\n",
    );
    expect((await update()).manifest).toEqual({ updated: [], left });
    change("package.json", read("package.json").replace("16.4.7", "16.4.9"));
    expect((await update()).manifest).toEqual({ updated: [], left: [] });
  });

  test("is not reported once its owner marks it as merged", async () => {
    change("package.json", (OLD["package.json"] ?? "").replace("16.4.5", "16.4.7"));
    expect((await update(NEW, ["package.json"])).manifest.left).toEqual([]);
    expect((await update()).manifest.left).toEqual([]);
  });
});

describe("a site without a record of its generated files", () => {
  test("is updated where its owner has not changed a file", async () => {
    forgetOriginals();
    const { replaced, manifest, left } = await update();
    expect(replaced).toEqual(["app/layout.tsx", "app/page.tsx", "components/ui.tsx", LANGUAGES]);
    expect(manifest.updated.map(({ entry }) => entry)).toContain("dependencies.next");
    expect(left).toEqual([]);
  });

  test("gets the same patches if its git history contains the generated files", async () => {
    for (const args of [["init"], ["add", "."], ["commit", "--message", "generated"]]) git(...args);
    forgetOriginals();
    change("app/page.tsx", lines("one, mine", "two", "three", "four", "five", "six"));
    change("package.json", (OLD["package.json"] ?? "").replace("2.5.1", "2.6.0"));
    const { left, manifest } = await update();
    expect(left).toEqual([
      { path: "app/page.tsx", isOriginalKnown: true, patch: expect.stringMatching(/^\+six, newer$/m) },
    ]);
    expect(left[0]?.patch).not.toMatch(/^[-+]one/m);
    expect(manifest.updated.map(({ entry }) => entry)).toContain("dependencies.next");
    // The update has stored the originals, so the next one does not need the history.
    rmSync(join(site, ".git"), { recursive: true });
    expect((await update()).left).toEqual(left);
  });

  test("reports every difference at each update if its git history does not contain the generated files", async () => {
    forgetOriginals();
    change("app/page.tsx", lines("one, mine", "two", "three", "four", "five", "six"));
    change("package.json", (OLD["package.json"] ?? "").replace("2.5.1", "2.6.0"));
    const first = await update();
    expect(first.left).toEqual([
      { path: "app/page.tsx", isOriginalKnown: false, patch: expect.stringMatching(/^\+one$/m) },
    ]);
    expect(first.manifest.left.map(({ entry }) => entry)).toEqual(["dependencies.next", "dependencies.swr"]);
    expect(describeUpdate(site, first)).toContain("The generated version of some of these files is unknown");
    const second = await update();
    expect(second.left).toEqual(first.left);
    expect(second.manifest.left).toEqual(first.manifest.left);
  });
});

describe("a known vulnerability in a copied file", () => {
  test("is reported prominently, and is fixed if the file is replaced", async () => {
    const report = await update();
    expect(report.open).toEqual([]);
    expect(describeUpdate(site, report)).toMatch(
      /^!{80}\nCLOSED BY THIS UPDATE: A SECURITY HOLE.*\n\n {2}components\/words\/languages\.ts\n\n.*Accept-Language/m,
    );
    expect(describeUpdate(site, await update())).not.toContain("SECURITY");
  });

  test.each([LANGUAGES, "src/i18n/languages.ts"])(
    "is reported prominently at each update until it is fixed: %s",
    async (path) => {
      mkdirSync(dirname(join(site, path)), { recursive: true });
      change(path, `// mine\n${OLD[LANGUAGES]}`);
      for (const report of [await update(), await update()]) {
        expect(describeUpdate(site, report)).toMatch(
          new RegExp(
            String.raw`\n!{80}\nSTILL OPEN: A SECURITY HOLE.*\n\n  ${path}\n\n.*Accept-Language.*\n\nCut the header.*\n!{80}\n$`,
          ),
        );
      }
    },
  );

  test("is described in the package's changelog together with what to do", () => {
    const changelog = readFileSync(join(import.meta.dirname, "../../packages/login/CHANGELOG.md"), "utf8");
    expect(changelog).toMatch(
      /^- \*\*Security: do this [^\n]*`components\/words\/languages\.ts`[^\n]*--update/m,
    );
  });
});

test("refuses to update a folder that does not contain a generated site", async () => {
  await expect(updateTemplate(folder)).rejects.toThrow(/has no \.svc-template\.json/);
});
