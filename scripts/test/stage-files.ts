import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFilesBelow } from "../server/ensure-build.ts";

/**
 * Returns the files that `docker build` would receive: the whole folder except for what .dockerignore excludes. The
 * last pattern that matches a path, or a folder above it, decides.
 */
export function listBuildContext(root: string): string[] {
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
  // The first pattern excludes everything, so every included path begins like one of the other patterns.
  const starts = new Set(
    patterns.filter(({ keeps }) => keeps).map(({ glob }) => glob.split("/", 1)[0] ?? ""),
  );
  return [...starts]
    .flatMap((name) => listFilesBelow(root, name))
    .filter(isKept)
    .toSorted();
}

/** Docker's rules: unlike in a shell, a star also matches names that begin with a dot. */
function toRegex(glob: string): RegExp {
  const parts = glob.split(/(\*\*\/|\*)/).map((part) => {
    if (part === "**/") return "(?:.*/)?";
    return part === "*" ? "[^/]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}

const IMAGE = ["Dockerfile", ".dockerignore", "compose.yaml", "e2e/image", "e2e/support", "tools/kit"];

/** The build's context, and the files that describe, run and test the image. */
export function listImageFiles(root: string): string[] {
  return [...listBuildContext(root), ...IMAGE.flatMap((path) => listFilesBelow(root, path))];
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
  "tools/resilience",
  "scripts/template",
  "scripts/template.ts",
  "scripts/test/find-browser.ts",
  "tsconfig.json",
];

/** The packed and copied files, and the tests. */
export function listTemplateFiles(root: string): string[] {
  return TEMPLATE.flatMap((path) => listFilesBelow(root, path));
}
