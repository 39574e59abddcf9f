import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");

type Manifest = { name: string; version: string; exports: Record<string, string> };

/**
 * Builds a package of this repository to JavaScript with declarations, and packs it.
 * @param source its folder, relative to the repository: `lib/login`
 * @param into the folder for the tarball
 * @returns the package's name, and the tarball's file name
 * @throws {Error} with what the compiler or npm said
 */
export function packPackage(source: string, into: string): { name: string; version: string; file: string } {
  const folder = join(ROOT, source);
  const staging = mkdtempSync(join(tmpdir(), "svc-pack-"));
  try {
    compile(folder, staging);
    const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const built = { ...manifest, exports: builtExports(manifest.exports), files: ["dist"] };
    writeFileSync(join(staging, "package.json"), `${JSON.stringify(built, null, 2)}\n`);
    for (const name of ["README.md", "CHANGELOG.md"]) {
      if (existsSync(join(folder, name))) cpSync(join(folder, name), join(staging, name));
    }
    cpSync(join(ROOT, "LICENSE"), join(staging, "LICENSE"));
    npm(["pack", "--silent", "--pack-destination", into], staging);
    const prefix = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}`;
    return { name: manifest.name, version: manifest.version, file: `${prefix}.tgz` };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function compile(folder: string, staging: string): void {
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      outDir: join(staging, "dist"),
      rootDir: folder,
      rewriteRelativeImportExtensions: true,
      incremental: false,
      plugins: [],
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules", "@types")],
    },
    include: [join(folder, "**/*.ts"), join(folder, "**/*.mjs")],
    exclude: [join(folder, "**/*.test.ts"), join(folder, "**/*.fixture.ts")],
  };
  const file = join(staging, "tsconfig.json");
  writeFileSync(file, JSON.stringify(config));
  run(process.execPath, [TSC, "-p", file], ROOT);
  rmSync(file);
  if (readdirSync(staging).length === 0) throw new Error(`Nothing was built of ${folder}.`);
}

/** `./client/index.ts` becomes what was built of it. */
function builtExports(exports: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(exports).map(([name, path]) => {
      const built = path.replace(/^\.\//, "./dist/").replace(/\.ts$/, "");
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
