/* Runs on Node.js 18 or later. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runChild } from "./run-child.mjs";

/** True if it was generated from this schema with this version of Prisma. */
export function isClientGenerated(root) {
  try {
    return readFileSync(stampFile(root), "utf8") === sourceHash(root);
  } catch {
    return false;
  }
}

/**
 * Prints nothing unless it fails.
 * @param {string} root the repository
 * @param {string} node the Node.js that runs Prisma's command line
 * @param {(pid: number) => void} onStart gets the command line's process id
 */
export async function generateClient(root, node, onStart) {
  rmSync(join(root, "generated"), { recursive: true, force: true });
  let output = "";
  const cli = join(root, "node_modules", "prisma", "build", "index.js");
  const result = await runChild(node, [cli, "generate"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: "1", CHECKPOINT_DISABLE: "1" },
    onStart,
    onOutput: (chunk) => {
      output += chunk;
    },
  });
  if (result.code !== 0) throw new Error(`prisma generate failed:\n${output}`);
  mkdirSync(join(root, "generated"), { recursive: true });
  writeFileSync(stampFile(root), sourceHash(root));
}

function stampFile(root) {
  return join(root, "generated", ".made-from");
}

function sourceHash(root) {
  const hash = createHash("sha256");
  for (const file of ["prisma/schema.prisma", "prisma.config.ts", "node_modules/prisma/package.json"]) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}
