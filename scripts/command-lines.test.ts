import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readListings } from "#e2e/template/read-guide.ts";
import packageJson from "../package.json" with { type: "json" };
import { packPackage } from "./template/pack-package.ts";

const ROOT = join(import.meta.dirname, "..");

/** The exit status for invalid arguments. It is 1, unless 1 has another meaning. */
const REFUSED: Record<string, number> = { conformance: 2, audit: 2 };

function run(name: string, ...args: string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const [script = ""] = ["scripts", "tools"]
    .map((folder) => join(ROOT, folder, `${name}.ts`))
    .filter(existsSync);
  return spawnSync(process.execPath, [script, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, NODE_ENV: "test" },
    encoding: "utf8",
  });
}

const names = [...new Set(Object.values(packageJson.scripts).map((script) => script.split(" ")[2] ?? ""))];
const helps = new Map(names.map((name) => [name, run(name, "--help")]));

test.each(names)("prints a command's usage and refuses an unknown option: %s", (name) => {
  expect(helps.get(name)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\w.+\.\n\n {2}npm [\s\S]*\n {2}--help +this text\n/),
    stderr: "",
  });
  expect(run(name, "--colour")).toMatchObject({
    status: REFUSED[name] ?? 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^Unknown option '--colour'\. There is: .*--help\.\nRun .* --help for usage\.\n$/,
    ),
  });
});

test("lists every command of package.json in CONTRIBUTING.md", () => {
  const listed = [
    ...readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8").matchAll(/^\| `npm (?:run )?(\w+)` \| \w/gm),
  ];
  expect(listed.map(([, name]) => name).toSorted()).toEqual(Object.keys(packageJson.scripts).toSorted());
});

test("exits without an error if the program that reads its list of checks stops early", () => {
  const command = [process.execPath, join(import.meta.dirname, "conformance.ts"), "server", "--list"];
  const { stdout, stderr } = spawnSync("sh", ["-c", '"$@" | head -n 1', "sh", ...command], {
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^1\.1-.*\n$/), stderr: "" });
});

test("packs a conformance kit that runs outside this repository", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { file } = packPackage("conformance", folder);
  execFileSync("tar", ["-xzf", file], { cwd: folder });
  const built = join(folder, "package");
  // The package contains only its own folder's files.
  expect(readdirSync(join(built, "dist"))).toEqual(["conformance", "terminal"]);
  symlinkSync(join(import.meta.dirname, "..", "node_modules"), join(built, "node_modules"));
  const cli = join(built, "dist", "conformance", "cli.js");
  const printed = execFileSync(process.execPath, [cli, "server", "--list"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(printed).toMatch(/^1\.1-at-once +MUST/m);
  const explained = execFileSync(process.execPath, [cli, "explain", "1.1-at-once"], { encoding: "utf8" });
  const [page = ""] = explained.match(/(?<= {2})\S+protocol\.md/) ?? [];
  expect(readFileSync(page, "utf8")).toContain("### 1.1 Challenge");
});

function commandsOf(guide: string): string[] {
  const page = readFileSync(join(ROOT, guide), "utf8");
  const blocks = readListings(page).filter(({ language }) => language === "sh" || language === "");
  // A command can continue on the next line.
  const lines = blocks.flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, "").split("\n"));
  const inline = [...page.matchAll(/`((?:npm run|npx) [^`\n]+)`/g)].map(([, command = ""]) => command);
  return [...lines, ...inline].map((line) => line.replace(/\s#\s.*/, ""));
}

const COMMANDS = [...globSync("docs/*.md", { cwd: ROOT }), "README.md"].flatMap((guide) =>
  commandsOf(guide).map((command) => ({ guide, command })),
);

test("finds every npm script and option that the guides mention", () => {
  const used = COMMANDS.flatMap(({ guide, command }) =>
    [...command.matchAll(/npm run (\S+) -- ([^&|]+)/g)].map(([, script = "", rest = ""]) => ({
      ...{ guide, command, script },
      options: rest.replaceAll(/'[^']*'|"[^"]*"/g, "").match(/(?<= |^)--[a-z-]+/g) ?? [],
    })),
  );
  expect(used.length).toBeGreaterThan(20);
  const wrong = used.filter(({ script, options }) => {
    const helpText = helps.get(script)?.stdout;
    return helpText === undefined || options.some((option) => !helpText.includes(option));
  });
  expect(wrong.map(({ guide, command }) => `${guide}: ${command}`)).toEqual([]);
});

test("finds every test in the commands that the guides contain", () => {
  const runs = COMMANDS.flatMap(({ guide, command }) => {
    const vitest = /npx vitest run --project \S+ (\S+)/.exec(command)?.[1];
    const playwright = /npx playwright test --config e2e (\S+)/.exec(command)?.[1];
    return [vitest, playwright && `e2e/${playwright}`].flatMap((path) => (path ? [{ guide, path }] : []));
  });
  expect(runs.length).toBeGreaterThan(3);
  expect(runs.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});
