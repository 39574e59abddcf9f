import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { generateLoginModels } from "./login-models.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PACKAGES = join(ROOT, "packages");
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");

type Manifest = {
  name: string;
  version: string;
  exports: Record<string, string>;
  /** Commands, as paths of built files. npm links them directly. */
  bin?: Record<string, string>;
  dependencies: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, unknown>;
};

/**
 * The exports and command line of `@svc/wallet` that the login's package contains. A site has only one package to
 * update, and the site's tests can use a wallet (docs/decisions/0058-the-wallets-workspace.md).
 */
const WALLET_FIELDS = {
  "./playwright": "../wallet/testing/playwright.ts",
  "./trial-wallet": "../wallet/testing/trial-wallet.ts",
};

/**
 * Compiles a package from this repository's sources to JavaScript with declarations, and packs it. The package contains
 * only its exports and the modules that they import. An export that is not a module is packed unchanged.
 * @param name the package's folder in `packages`
 * @param into the folder for the tarball
 * @returns the names of the package and of the tarball
 * @throws {Error} with the output of the compiler or npm
 */
export function packPackage(name: string, into: string): { name: string; file: string } {
  const staging = mkdtempSync(join(tmpdir(), "svc-pack-"));
  try {
    const manifest = createPackedManifest(name);
    const paths = Object.values(manifest.exports).flatMap((path) => sourcesOf(name, path));
    compile([...paths.filter(isModule), ...Object.values(manifest.bin ?? {}).map(sourceOf)], staging);
    const functions = globSync(`${name}/**/*.sql`, { cwd: PACKAGES });
    for (const path of [...paths.filter((path) => !isModule(path)), ...functions])
      cpSync(join(PACKAGES, path), join(staging, "dist", path));
    // TypeScript 6 looks for the types of every imported file.
    for (const path of paths.filter(isStylesheet))
      writeFileSync(join(staging, "dist", `${path}.d.ts`), "export {};\n");
    const built = {
      ...manifest,
      exports: builtExports(name, manifest.exports),
      // npm automatically adds the README and the licence, but not the changelog.
      files: ["dist", "src", "docs", "*.prisma", "CHANGELOG.md"],
    };
    writeFileSync(join(staging, "package.json"), `${JSON.stringify(built, null, 2)}\n`);
    copyTexts(name, staging);
    cpSync(join(ROOT, "LICENSE"), join(staging, "LICENSE"));
    npm(["pack", "--silent", "--pack-destination", into], staging);
    const prefix = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}`;
    return { name: manifest.name, file: `${prefix}.tgz` };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Documents, the schema, and the sources that sites can change. */
function copyTexts(name: string, staging: string): void {
  const source = join(PACKAGES, name);
  const readme = readFileSync(join(source, "README.md"), "utf8");
  // In a package, these pages are next to the README.
  writeFileSync(join(staging, "README.md"), readme.replaceAll("](../../docs/", "](docs/"));
  if (existsSync(join(source, "CHANGELOG.md")))
    cpSync(join(source, "CHANGELOG.md"), join(staging, "CHANGELOG.md"));
  if (name === "login") {
    const schema = readFileSync(join(ROOT, "prisma", "schema.prisma"), "utf8");
    writeFileSync(join(staging, "schema.prisma"), generateLoginModels(schema));
  }
  // Sites that want to change everything copy the sources.
  if (name === "react")
    for (const path of globSync("**/*.{ts,tsx,css}", { cwd: source, exclude: ["**/*.test.ts"] }))
      cpSync(join(source, path), join(staging, "src", path));
  // Reports link to these pages and contain copies of them.
  if (name === "conformance")
    for (const page of globSync("{protocol,conformance*}.md", { cwd: join(ROOT, "docs") }))
      cpSync(join(ROOT, "docs", page), join(staging, "docs", page));
}

/** Source paths are relative to the package's folder. */
export function createPackedManifest(name: string): Manifest {
  const manifest = readManifest(name);
  if (name !== "login") return manifest;
  const wallet = readManifest("wallet");
  return {
    ...manifest,
    bin: { ...manifest.bin, ...wallet.bin },
    exports: { ...manifest.exports, ...WALLET_FIELDS },
    dependencies: { ...manifest.dependencies, ...wallet.dependencies },
    peerDependencies: { ...manifest.peerDependencies, ...wallet.peerDependencies },
    peerDependenciesMeta: { ...manifest.peerDependenciesMeta, ...wallet.peerDependenciesMeta },
  };
}

function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(PACKAGES, name, "package.json"), "utf8"));
}

/** Also compiles everything that the files import. */
function compile(entries: string[], staging: string): void {
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, incremental: false, plugins: [], types: ["node"] },
      ...{ rootDir: PACKAGES, outDir: "dist", typeRoots: [join(ROOT, "node_modules/@types")] },
      rewriteRelativeImportExtensions: true,
      // `npm test` checks the types of all files.
      noCheck: true,
    },
    include: [],
    files: entries.map((entry) => join(PACKAGES, entry)),
  };
  writeFileSync(join(staging, "tsconfig.json"), JSON.stringify(config));
  run(process.execPath, [TSC, "-p", staging], staging);
}

const isModule = (path: string) => path.endsWith(".ts");
const isStylesheet = (path: string) => path.endsWith(".css");

/** For `./*.ts`, all modules in the package. */
function sourcesOf(name: string, path: string): string[] {
  const pattern = posix.join(name, path.replace("*", "**/*"));
  return globSync(pattern, { cwd: PACKAGES, exclude: ["**/*.test.ts", "**/*.fixture.ts"] });
}

/** `wallet/cli/bin.ts` for `./dist/wallet/cli/bin.js`. */
const sourceOf = (built: string) => built.replace(/^\.\/dist\/(.*)\.js$/, "$1.ts");

/** `./client/index.ts` of `login` becomes `./dist/login/client/index.js`. */
function builtExports(name: string, exports: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(exports).map(([subpath, path]) => {
      const built = `./dist/${posix.join(name, path.replace(/\.ts$/, ""))}`;
      if (!isModule(path) && !isStylesheet(path)) return [subpath, built];
      return [subpath, { types: `${built}.d.ts`, default: isModule(path) ? `${built}.js` : built }];
    }),
  );
}

/** The npm that started this process, or the one in PATH. */
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
