import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

type Manifest = { name: string; exports: Record<string, string> };

const FOLDERS = ["app", "components", "lib", "packages", "scripts", "tools", "e2e"];
const SOURCE = /\.(?:m?ts|tsx|mjs)$/;
const TEST = /\.(?:test|spec|fixture)\.|\.d\.m?ts$/;
const SPECIFIER =
  // `@import` is a CSS rule.
  /(?:\bfrom\s*|(?<!@)\bimport\s*\(?\s*|\bnew\s+URL\s*\(\s*)(["'])(?<specifier>(?:#|@svc\/|\.\.?\/)[^"'\n]+)\1/g;

/**
 * Returns the files of this repository that each source file imports, with paths relative to the repository. Imports by
 * `#` names, by relative paths and by the names of our packages count, whether they are static, dynamic or type-only.
 * Tests are omitted.
 * @param what `"loaded"` omits type-only imports, which do not exist when the code runs
 */
export function readImports(root: string, what: "all" | "loaded" = "all"): Map<string, string[]> {
  const files = FOLDERS.filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((file) => SOURCE.test(file) && !TEST.test(file))
    .filter((file) => statSync(join(root, file)).isFile());
  const exported = readExports(root);
  return new Map(files.map((file) => [file, importsOf(root, file, what, exported)]));
}

/** Returns these files and all files that they import, directly or indirectly. */
export function findReachable(files: readonly string[], imports: ReadonlyMap<string, string[]>): string[] {
  const reached = new Set(files);
  for (const file of reached) for (const target of imports.get(file) ?? []) reached.add(target);
  return [...reached].filter((file) => imports.has(file));
}

type ExportedName = { name: string; file: string };

/** `*` stands for the same text in the name and in the file that it refers to. */
function readExports(root: string): ExportedName[] {
  return globSync("packages/*/package.json", { cwd: root }).flatMap((path) => {
    const { name, exports }: Manifest = JSON.parse(readFileSync(join(root, path), "utf8"));
    return Object.entries(exports).map(([subpath, file]) => ({
      name: join(name, subpath),
      file: join(dirname(path), file),
    }));
  });
}

function fileBehind(specifier: string, exported: readonly ExportedName[]): string | null {
  for (const { name, file } of exported) {
    const [start = "", end] = name.split("*");
    if (end === undefined && name === specifier) return file;
    if (end !== undefined && specifier.startsWith(start))
      return file.replace("*", specifier.slice(start.length));
  }
  return null;
}

function importsOf(
  root: string,
  file: string,
  what: "all" | "loaded",
  exported: readonly ExportedName[],
): string[] {
  const code = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const text = what === "all" ? code : code.replace(/^(?:import|export) type [^;]*;/gm, "");
  const specifiers = [...text.matchAll(SPECIFIER)].map(({ groups }) => groups?.specifier ?? "");
  return specifiers.map((specifier) => {
    const path = specifier.replace(/\?.*$/, "");
    if (path.startsWith("#")) return path.slice(1);
    return fileBehind(path, exported) ?? normalize(join(dirname(file), path));
  });
}
