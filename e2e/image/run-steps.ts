import { deepStrictEqual } from "node:assert/strict";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { linkPackages } from "#e2e/support/link-packages.ts";
import { runTool } from "#tools/kit/run-tool.ts";
import type { Stage } from "./dockerfile.ts";

/**
 * For this step, the repository's packages are reused, because an installation would take a minute. Both come from the
 * same lock file.
 */
const INSTALL = "npm ci --ignore-scripts --omit=dev --no-audit --no-fund";

export type Image = {
  /** Replaces the image's `/`. */
  root: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  command: string[];
  healthcheck: string[];
  remove(): void;
};

/**
 * Does what `docker build` would do, in folders that are empty at first. At the beginning of a stage, the only program
 * is the Node of the stage's image.
 * @param root the folder to build in
 * @param context the files to build from
 * @returns the last stage
 */
export async function runSteps(stages: Stage[], root: string, context: string[]): Promise<Image> {
  const folder = mkdtempSync(join(tmpdir(), "svc-image-"));
  // Other users need access to this folder.
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const builder: Builder = { root, context, done: new Map() };
  let image: Image | null = null;
  try {
    for (const [index, stage] of stages.entries()) {
      const at = join(folder, String(index));
      installNode(at);
      image = { root: at, workdir: at, env: {}, user: "root", command: [], healthcheck: [], remove };
      for (const { name, parts } of stage.steps) await ACTS[name]?.(image, parts, builder);
      if (stage.as) builder.done.set(stage.as, at);
    }
  } catch (error) {
    remove();
    throw error;
  }
  if (!image) throw new Error("no stage");
  return image;
}

/** Where steps can copy from: the build's folder and files, and the folders of the named stages. */
type Builder = { root: string; context: string[]; done: Map<string, string> };
type Act = (image: Image, parts: Record<string, string>, builder: Builder) => unknown;

/** Instructions that are not listed only describe an image. */
const ACTS: Record<string, Act> = {
  WORKDIR(image, { path = "" }) {
    image.workdir = join(image.root, path);
    mkdirSync(image.workdir, { recursive: true });
  },
  ENV: ({ env }, { key = "", value = "" }) => Object.assign(env, { [key]: value }),
  USER: (image, { user }) => Object.assign(image, { user }),
  CMD: (image, { argv = "" }) => Object.assign(image, { command: JSON.parse(argv) }),
  HEALTHCHECK: (image, { argv = "" }) => Object.assign(image, { healthcheck: JSON.parse(argv) }),
  async RUN(image, { command = "", cache }, { root }) {
    if (cache) copyBuild(root, image);
    if (command === INSTALL) installWithoutScripts(root, image);
    else await runCommand(command, image);
  },
  COPY: copy,
};

function installNode(root: string): void {
  mkdirSync(join(root, "usr", "local", "bin"), { recursive: true });
  cpSync(process.execPath, join(root, "usr", "local", "bin", "node"));
}

function copy(
  { workdir }: Image,
  { from, sources = "", target: within = "" }: Record<string, string>,
  { root, context, done }: Builder,
): void {
  const target = join(workdir, within);
  for (const source of sources.split(" ")) {
    if (from) {
      const stage = done.get(from);
      if (!stage) throw new Error(`no stage is called ${from}`);
      cpSync(join(stage, source), target, { recursive: true, verbatimSymlinks: true });
      continue;
    }
    const files = filesOf(source, context);
    if (files.length === 0) throw new Error(`nothing to copy: ${source}`);
    for (const { path, name } of files) {
      mkdirSync(dirname(join(target, name)), { recursive: true });
      cpSync(join(root, path), join(target, name));
    }
  }
}

/** Returns the files to copy and their names in the target. A folder stands for its contents, and a file for itself. */
function filesOf(source: string, context: readonly string[]): { path: string; name: string }[] {
  if (source === ".") return context.map((path) => ({ path, name: path }));
  if (context.includes(source)) return [{ path: source, name: basename(source) }];
  return context
    .filter((path) => path.startsWith(`${source}/`))
    .map((path) => ({ path, name: path.slice(source.length + 1) }));
}

/**
 * Copies this machine's complete build into the builder's cache. If the build was made from other sources,
 * `ensureBuild` builds again.
 */
function copyBuild(root: string, { workdir }: Image): void {
  const build = join(root, ".next");
  if (existsSync(build)) cpSync(build, join(workdir, ".next"), { recursive: true, verbatimSymlinks: true });
}

type Dependencies = Record<string, string>;
type Manifest = { dependencies: Dependencies; devDependencies: Dependencies };
type Lock = { packages: Record<string, Manifest & { link?: boolean; resolved?: string }> };

/**
 * @throws {Error} for the reasons for which npm would fail: a missing file, or a lock file that does not match the
 * manifest
 */
function installWithoutScripts(root: string, { workdir }: Image): void {
  const read = (folder: string, name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const manifest: Manifest & { allowScripts: Record<string, boolean> } = read(workdir, "package.json");
  const { packages }: Lock = read(workdir, "package-lock.json");
  const dependenciesOf = ({ dependencies, devDependencies }: Partial<Manifest>) => ({
    dependencies,
    devDependencies,
  });
  deepStrictEqual(dependenciesOf(packages[""] ?? {}), dependenciesOf(manifest));
  deepStrictEqual(packages, read(root, "package-lock.json").packages);
  for (const [path, { link, resolved = "" }] of Object.entries(packages)) {
    if (link && !existsSync(join(workdir, resolved))) throw new Error(`${path}: no ${resolved}`);
  }
  linkPackages(root, workdir);
  // These packages do nothing without their scripts.
  for (const [name, allowed] of Object.entries(manifest.allowScripts)) {
    if (allowed) rmSync(join(workdir, "node_modules", name), { recursive: true, force: true });
  }
}

/** Matches the variables with which npm reaches its registry from this machine. */
const PASSED_ON = /^(HOME|npm_config_.*|(https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;

/**
 * Runs a command as Docker would, in the image's folder and with the image's Node. npm and its network settings are
 * this machine's own.
 */
function runCommand(command: string, { root, workdir, env }: Image): Promise<string> {
  const passedVariables = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  const PATH = `${join(root, "usr", "local", "bin")}:${outsideNodeModules(process.env.PATH ?? "")}`;
  return runTool("sh", ["-c", command], {
    cwd: workdir,
    env: { ...Object.fromEntries(passedVariables), NODE_ENV: "development", ...env, PATH },
  });
}

function outsideNodeModules(path: string): string {
  return path
    .split(":")
    .filter((entry) => !entry.includes("node_modules"))
    .join(":");
}
