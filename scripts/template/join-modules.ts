import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

const IMPORT = /^import (type )?\{([^}]*)\} from "([^"]+)";\n/gm;

/**
 * One module made of several that belong together, for a site that has few files: their imports of each other fall
 * away, and the others are asked of the site's own alias and packages.
 * @param paths the modules, in an order in which each is used after it is defined
 * @param fileOf the site's file that holds a module of ours
 */
export function joinModules(paths: readonly string[], fileOf: (path: string) => string): string {
  const own = fileOf(paths[0] ?? "");
  const imported = new Map<string, Set<string>>();
  const bodies = paths.map((path) => {
    const text = readFileSync(join(ROOT, path), "utf8").replace(/^"use client";\n+/, "");
    return text.replace(IMPORT, (_, type: string | undefined, names: string, from: string) => {
      const target = targetOf(path, from, fileOf);
      if (target !== `@/${own}`) addNames(imported, target, type, names);
      return "";
    });
  });
  const directive = paths.some((path) => /^"use client"/.test(readFileSync(join(ROOT, path), "utf8")));
  const header = (directive ? '"use client";\n\n' : "") + importLines(imported);
  return `${[header, ...bodies].map((part) => part.trim()).join("\n\n")}\n`;
}

/** What a site imports instead. */
function targetOf(importer: string, from: string, fileOf: (path: string) => string): string {
  if (!/^[#.]/.test(from)) return from;
  const path = from.startsWith("#") ? from.slice(1) : posix.join(dirname(importer), from);
  return `@/${fileOf(path)}`;
}

function addNames(
  imported: Map<string, Set<string>>,
  from: string,
  type: string | undefined,
  names: string,
): void {
  const known = imported.get(from) ?? new Set();
  for (const name of names.split(",").map((each) => each.trim())) {
    if (name) known.add(type ? `type ${name}` : name);
  }
  imported.set(from, known);
}

function importLines(imported: Map<string, Set<string>>): string {
  const lines = [...imported].map(([from, names]) => {
    // A name that is needed as a value serves as a type, too.
    const needed = [...names].filter(
      (name) => !names.has(name.replace(/^type /, "")) || !/^type /.test(name),
    );
    return `import { ${needed.toSorted().join(", ")} } from "${from}";\n`;
  });
  return lines.toSorted().join("");
}
