import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The files that `docker build` would be given: all of the folder but what .dockerignore keeps out. The last pattern
 * that fits a path, or a folder that it is in, decides.
 */
export function buildContext(root: string): string[] {
  const patterns = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ keeps: line.startsWith("!"), pattern: toRegex(line.replace(/^!/, "")) }));
  const isKept = (path: string) => {
    const parts = path.split("/");
    const prefixes = parts.map((_part, index) => parts.slice(0, index + 1).join("/"));
    const last = patterns.findLast(({ pattern }) => prefixes.some((prefix) => pattern.test(prefix)));
    return last?.keeps ?? true;
  };
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => isKept(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(join(root, entry.name), { recursive: true, withFileTypes: true })
            .filter((below) => below.isFile())
            .map((below) => join(below.parentPath, below.name).slice(root.length + 1))
        : [entry.name],
    )
    .filter(isKept)
    .toSorted();
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
  return [...buildContext(root), "Dockerfile", ".dockerignore", "compose.yaml", ...below("e2e/image")].map(
    (path) => join(root, path),
  );
}
