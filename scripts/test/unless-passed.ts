import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Runs a test that takes minutes, unless it has passed with these very files, on this Node, before.
 * @param stamp the file that notes with what it passed
 */
export async function unlessPassed(files: string[], stamp: string, test: () => Promise<void>): Promise<void> {
  const hash = createHash("sha256").update(process.version);
  for (const path of files) hash.update(`${path}\0`).update(readFileSync(path)).update("\0");
  const digest = hash.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  await test();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

/**
 * The files that `docker build` would be given: all of the folder but what .dockerignore keeps out. The last pattern
 * that fits a path, or a folder that it is in, decides.
 */
export function buildContext(root: string): string[] {
  const patterns = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ keeps: line.startsWith("!"), glob: line.replace(/^!/, "") }))
    .map((pattern) => ({ ...pattern, regex: toRegex(pattern.glob) }));
  const isKept = (path: string) => {
    const parts = path.split("/");
    const prefixes = parts.map((_part, index) => parts.slice(0, index + 1).join("/"));
    return patterns.findLast(({ regex }) => prefixes.some((prefix) => regex.test(prefix)))?.keeps ?? true;
  };
  // Its first pattern keeps everything out: what may be in begins as one of the others does.
  const starts = new Set(
    patterns.filter(({ keeps }) => keeps).map(({ glob }) => glob.split("/", 1)[0] ?? ""),
  );
  return [...starts]
    .flatMap((name) => (statSync(join(root, name)).isDirectory() ? filesBelow(root, name) : [name]))
    .filter(isKept)
    .toSorted();
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

/** As Docker reads a pattern: unlike in a shell, a star stands for names that begin with a dot too. */
function toRegex(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*)/).map((part) => {
    if (part === "**/") return "(?:.*/)?";
    return part === "*" ? "[^/]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}

/** Everything that the image's test depends on: the build's context, and what describes and runs the image. */
export function imageFiles(root: string): string[] {
  const below = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  const tests = ["e2e/image", "e2e/support", "scripts/kit"].flatMap(below);
  return [...buildContext(root), "Dockerfile", ".dockerignore", "compose.yaml", ...tests].map((path) =>
    join(root, path),
  );
}

const TEMPLATE_FOLDERS = [
  "app/sandbox",
  "app/webhook",
  "components",
  "e2e/support",
  "e2e/template",
  "lib",
  "scripts/kit",
  "scripts/template",
];
const TEMPLATE_FILES = [
  "app/looks.css",
  "docs/existing-application.md",
  "package.json",
  "package-lock.json",
  "scripts/template.ts",
  "tsconfig.json",
];

/** Everything that the template's test depends on: what is packed and copied, and what tests it. */
export function templateFiles(root: string): string[] {
  const below = TEMPLATE_FOLDERS.flatMap((folder) => filesBelow(root, folder));
  return [...below, ...TEMPLATE_FILES].map((file) => join(root, file)).toSorted();
}
