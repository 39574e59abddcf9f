import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const LIB = join(ROOT, "lib");
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");

export type PackageSource = {
  /** Its `package.json`: name, version and dependencies. */
  manifest: string;
  /** What can be imported of it. Whatever these files import of ours goes along, and nothing else. */
  exports: Record<string, string>;
};

type Manifest = { name: string; version: string };

/**
 * Builds a package out of this repository's sources, to JavaScript with declarations, and packs it.
 * @param into the folder for the tarball
 * @returns the package's name, and the tarball's file name
 * @throws {Error} with what the compiler or npm said
 */
export function packPackage(source: PackageSource, into: string): { name: string; file: string } {
  const staging = mkdtempSync(join(tmpdir(), "svc-pack-"));
  const dist = join(staging, "dist");
  try {
    compile(Object.values(source.exports), dist);
    for (const file of filesBelow(dist)) useRelativeImports(file, dist);
    const manifest: Manifest = JSON.parse(readFileSync(join(LIB, source.manifest), "utf8"));
    const built = { ...manifest, exports: builtExports(source.exports), files: ["dist"] };
    writeFileSync(join(staging, "package.json"), `${JSON.stringify(built, null, 2)}\n`);
    for (const name of ["README.md", "CHANGELOG.md"]) {
      const text = join(LIB, dirname(source.manifest), name);
      if (existsSync(text)) cpSync(text, join(staging, name));
    }
    cpSync(join(ROOT, "LICENSE"), join(staging, "LICENSE"));
    npm(["pack", "--silent", "--pack-destination", into], staging);
    const prefix = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}`;
    return { name: manifest.name, file: `${prefix}.tgz` };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Compiles files below `lib` with all that they import. */
function compile(entries: string[], outDir: string): void {
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      outDir,
      rootDir: LIB,
      rewriteRelativeImportExtensions: true,
      incremental: false,
      plugins: [],
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules", "@types")],
    },
    include: [],
    files: entries.map((entry) => join(LIB, entry)),
  };
  const file = join(mkdtempSync(join(tmpdir(), "svc-tsc-")), "tsconfig.json");
  try {
    writeFileSync(file, JSON.stringify(config));
    run(process.execPath, [TSC, "-p", file], ROOT);
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The compiler leaves `#lib/…` as it is, which means something in this repository only. */
function useRelativeImports(file: string, dist: string): void {
  const text = readFileSync(file, "utf8").replace(/"#lib\/([^"]+?)\.ts"/g, (_, path) => {
    const target = relative(dirname(file), join(dist, `${path}.js`));
    return JSON.stringify(target.startsWith(".") ? target : `./${target}`);
  });
  if (/"#\w+\/|"server-only"/.test(text)) throw new Error(`${file} imports what a package does not have.`);
  writeFileSync(file, text);
}

/** `login/client/index.ts` becomes what was built of it. */
function builtExports(exports: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(exports).map(([name, path]) => {
      const built = `./dist/${path.replace(/\.ts$/, "")}`;
      return [name, { types: `${built}.d.ts`, default: `${built}.js` }];
    }),
  );
}

/** npm as it was started for us, else the one in PATH. */
function npm(args: string[], cwd: string): void {
  const script = process.env.npm_execpath;
  if (script && /\.c?js$/.test(script)) run(process.execPath, [script, ...args], cwd);
  else run("npm", args, cwd);
}

function run(command: string, args: string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args[0]} failed:\n${stdout}${stderr}`);
}
