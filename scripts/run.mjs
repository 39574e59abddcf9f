/*
 * node scripts/run.mjs NAME [arguments]: prepares a clone and runs scripts/NAME.ts in it.
 *
 * What every npm script starts with. It has no dependency and runs on any Node >= 18, so that a
 * fresh clone needs nothing done by hand: it installs what package-lock.json says, generates the
 * Prisma client, and hands over to the Node that the repository brings. Where all of that stands
 * already it costs a few milliseconds and prints nothing.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { acquireLock } from "../lib/postgres/process-lock.mjs";
import { installDependencies, installedDependencies, repositoryNode } from "./bootstrap/dependencies.mjs";
import { generateClient, isClientGenerated } from "./bootstrap/prisma-client.mjs";
import { exitLike, runChild } from "./bootstrap/run-child.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

try {
  const [name, ...args] = process.argv.slice(2);
  const script = join(root, "scripts", `${name}.ts`);
  if (!name || !existsSync(script)) throw new Error(`There is no script "${name ?? ""}" in scripts/.`);
  const node = await prepare();
  // Every command loads hundreds of modules: with their code kept, a start takes half the processor time.
  process.env.NODE_COMPILE_CACHE ??= join(root, ".data", "compile-cache");
  exitLike(
    await runChild(node, ["--disable-warning=ExperimentalWarning", script, ...args], { stdio: "inherit" }),
  );
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** Installs and generates what is missing, and answers with the Node to use. */
async function prepare() {
  const ready = installedDependencies(root);
  if (ready && isClientGenerated(root)) return repositoryNode(root, ready.bundledNodeWorks);

  // Outside node_modules, which an installation deletes.
  const lock = await acquireLock(join(root, ".data", "locks", "prepare"), {
    onWait: () => process.stderr.write("Waiting for another command that is preparing this clone…\n"),
  });
  try {
    const installed = installedDependencies(root) ?? (await installDependencies(root, lock.include));
    const node = repositoryNode(root, installed.bundledNodeWorks);
    if (!isClientGenerated(root)) await generateClient(root, node, lock.include);
    return node;
  } finally {
    lock.release();
  }
}
