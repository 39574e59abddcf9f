import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../server/ensure-build.ts";

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
  // The first pattern keeps everything out, so a path that is in begins as one of the others does.
  const starts = new Set(
    patterns.filter(({ keeps }) => keeps).map(({ glob }) => glob.split("/", 1)[0] ?? ""),
  );
  return [...starts]
    .flatMap((name) => filesBelow(root, name))
    .filter(isKept)
    .toSorted();
}

/** A pattern as Docker reads it: unlike in a shell, a star also matches names that begin with a dot. */
function toRegex(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*)/).map((part) => {
    if (part === "**/") return "(?:.*/)?";
    return part === "*" ? "[^/]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}

const IMAGE = ["Dockerfile", ".dockerignore", "compose.yaml", "e2e/image", "e2e/support", "tools/kit"];

/** Everything that the image's test depends on: the build's context, and what describes, runs and tests the image. */
export function imageFiles(root: string): string[] {
  return [...buildContext(root), ...IMAGE.flatMap((path) => filesBelow(root, path))];
}

const TEMPLATE = [
  "app/sandbox",
  "app/webhook",
  "docs/existing-application.md",
  "docs/own-data.md",
  "docs/protecting.md",
  "docs/testing-your-site.md",
  "e2e/support",
  "e2e/template",
  "examples/hosted-site",
  "examples/next-site",
  "lib",
  "packages",
  "package-lock.json",
  "package.json",
  "prisma/schema.prisma",
  "tools/kit",
  "scripts/template",
  "scripts/template.ts",
  "scripts/test/find-browser.ts",
  "tsconfig.json",
];

/** Everything that the template's test depends on: what is packed and copied, and what tests it. */
export function templateFiles(root: string): string[] {
  return TEMPLATE.flatMap((path) => filesBelow(root, path));
}
