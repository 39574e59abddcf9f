import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { generate, shellVariables } from "./generated-site.ts";

const ROOT = join(import.meta.dirname, "..", "..");

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of a generated site that is installed. The other applications take its packages from there. */
    installedSite: string;
  }
}

/** Writes a template and installs it, once for all tests of this folder. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "svc installed "));
  const site = join(folder, "site");
  generate(site, [], shellVariables(), ROOT);
  project.provide("installedSite", site);
  return () => rmSync(folder, { recursive: true, force: true });
}
