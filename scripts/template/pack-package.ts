import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const LIB = join(ROOT, "lib");
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");

export type PackageSource = {
  /** Its `package.json`: name, version and dependencies. */
  manifest: string;
  /**
   * What can be imported of it. Whatever these modules import of ours goes along, and nothing else. What is no module
   * is packed as it is.
   */
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
  try {
    const paths = Object.values(source.exports);
    compile(paths.filter(isModule), staging);
    for (const path of paths.filter((each) => !isModule(each)))
      cpSync(join(LIB, path), join(staging, "dist", path));
    const manifest: Manifest = JSON.parse(readFileSync(join(LIB, source.manifest), "utf8"));
    const built = {
      ...manifest,
      imports: IMPORTS,
      exports: builtExports(source.exports),
      files: ["dist", "*.prisma"],
    };
    writeFileSync(join(staging, "package.json"), `${JSON.stringify(built, null, 2)}\n`);
    for (const name of ["README.md", "CHANGELOG.md", "schema.prisma"]) {
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

/** Compiles files with all that they import, into `staging/dist`. */
function compile(entries: string[], staging: string): void {
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, incremental: false, plugins: [], types: ["node"] },
      ...{ rootDir: LIB, outDir: "dist", typeRoots: [join(ROOT, "node_modules/@types")] },
      rewriteRelativeImportExtensions: true,
    },
    include: [],
    files: entries.map((entry) => join(LIB, entry)),
  };
  writeFileSync(join(staging, "tsconfig.json"), JSON.stringify(config));
  run(process.execPath, [TSC, "-p", staging], staging);
  // JavaScript with declarations beside it is not the compiler's to write.
  for (const path of readdirSync(LIB, { recursive: true, encoding: "utf8" })) {
    const target = join(staging, "dist", path);
    if (/\.(mjs|d\.mts)$/.test(path) && existsSync(dirname(target))) cpSync(join(LIB, path), target);
  }
}

/** What `#lib/…` means in the package: what was built of it. */
const IMPORTS = {
  "#lib/*.ts": { types: "./dist/*.d.ts", default: "./dist/*.js" },
  "#lib/*.mjs": { types: "./dist/*.d.mts", default: "./dist/*.mjs" },
};

const isModule = (path: string) => path.endsWith(".ts");

/** `login/client/index.ts` becomes what was built of it. */
function builtExports(exports: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(exports).map(([name, path]) => {
      const built = `./dist/${path.replace(/\.ts$/, "")}`;
      if (!isModule(path)) return [name, built];
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
