import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { Stage } from "./dockerfile.ts";

/** What a container would be started from. */
export type Image = {
  /** Where `/` of the image is here. */
  root: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  command: string[];
  healthcheck: string[];
  remove(): void;
};

/**
 * Does what `docker build` would do, in empty folders: each stage begins with nothing but the Node of its image.
 * @param root the folder that is built, and `context` its files
 * @returns the last stage
 */
export async function runSteps(stages: Stage[], root: string, context: string[]): Promise<Image> {
  const folder = mkdtempSync(join(tmpdir(), "svc-image-"));
  // Other users have to get in.
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const done = new Map<string, string>();
  let image: Image | null = null;
  try {
    for (const [index, stage] of stages.entries()) {
      const at = join(folder, String(index));
      installNode(at);
      image = { root: at, workdir: at, env: {}, user: "root", command: [], healthcheck: [], remove };
      for (const step of stage.steps) {
        if (step.name === "WORKDIR") {
          image.workdir = join(at, step.path);
          mkdirSync(image.workdir, { recursive: true });
        } else if (step.name === "ENV") image.env[step.key] = step.value;
        else if (step.name === "USER") image.user = step.user;
        else if (step.name === "CMD") image.command = step.argv;
        else if (step.name === "HEALTHCHECK") image.healthcheck = step.argv;
        else if (step.name === "RUN") {
          if (step.cache !== null) takeKept(root, image, step.cache);
          await runCommand(step.command, image);
        } else if (step.name === "COPY") copy(step, image.workdir, { root, context, done });
      }
      if (stage.as) done.set(stage.as, at);
    }
  } catch (error) {
    remove();
    throw error;
  }
  if (!image) throw new Error("no stage");
  return image;
}

function installNode(root: string): void {
  mkdirSync(join(root, "usr", "local", "bin"), { recursive: true });
  cpSync(process.execPath, join(root, "usr", "local", "bin", "node"));
}

function copy(
  step: { from: string | null; sources: string[]; target: string },
  workdir: string,
  { root, context, done }: { root: string; context: string[]; done: Map<string, string> },
): void {
  const target = join(workdir, step.target);
  for (const source of step.sources) {
    if (step.from !== null) {
      const stage = done.get(step.from);
      if (!stage) throw new Error(`no stage is called ${step.from}`);
      cpSync(join(stage, source), target, { recursive: true, verbatimSymlinks: true });
      continue;
    }
    // A folder's content goes into the target, and a file keeps its name in a folder.
    const files = context.filter(
      (path) => source === "." || path === source || path.startsWith(`${source}/`),
    );
    if (files.length === 0) throw new Error(`nothing to copy: ${source}`);
    for (const path of files) {
      const name = source === "." || path === source ? path : path.slice(source.length + 1);
      mkdirSync(dirname(join(target, name)), { recursive: true });
      cpSync(join(root, path), join(target, name));
    }
  }
}

/** The builder has kept what this machine's last build left, if there was one. */
function takeKept(root: string, image: Image, target: string): void {
  const inImage = join(image.root, target);
  const here = join(root, relative(image.workdir, inImage));
  if (existsSync(here)) cpSync(here, inImage, { recursive: true });
}

/** How npm reaches its registry from this machine, and what `npm test` has done already. */
const PASSED_ON =
  /^(HOME|TYPES_ARE_CHECKED|npm_config_.*|(https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;

/** As Docker would: in the image's folder, with its Node. npm and what it needs of the network are this machine's. */
function runCommand(command: string, { root, workdir, env }: Image): Promise<void> {
  const own = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  const child = spawn("sh", ["-c", command], {
    cwd: workdir,
    env: {
      ...Object.fromEntries(own),
      NODE_ENV: "development",
      ...env,
      PATH: `${join(root, "usr", "local", "bin")}:${outsideNodeModules(process.env.PATH ?? "")}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`RUN ${command} ended with ${code}:\n${output}`)),
    );
  });
}

function outsideNodeModules(path: string): string {
  return path
    .split(":")
    .filter((entry) => !entry.includes("node_modules"))
    .join(":");
}
