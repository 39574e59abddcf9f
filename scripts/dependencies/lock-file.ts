import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** What package.json and package-lock.json (version 3) say of the packages that are installed. */

const ROOT = join(import.meta.dirname, "..", "..");

const Names = z.record(z.string(), z.string());

const Entry = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  /** A workspace of this repository. */
  link: z.boolean().default(false),
  inBundle: z.boolean().default(false),
  hasInstallScript: z.boolean().default(false),
  /** Needed by development alone; `devOptional`: or by an optional package too. */
  dev: z.boolean().default(false),
  devOptional: z.boolean().default(false),
  optionalDependencies: Names.default({}),
});

/** One installed package. */
export type LockedPackage = z.infer<typeof Entry> & {
  /** Where it is installed: `node_modules/a/node_modules/b`. */
  path: string;
  /** The name it is published by: an alias's own. */
  name: string;
};

const Manifest = z.object({
  dependencies: Names,
  devDependencies: Names,
  allowScripts: z.record(z.string(), z.boolean()),
});

/** The project's own package.json, as far as it is about packages. */
export function readManifest() {
  return Manifest.parse(readJson("package.json"));
}

/** Every package of the lock file that is not our own. */
export function readLockFile(): LockedPackage[] {
  const { packages } = z
    .object({ packages: z.record(z.string(), Entry) })
    .parse(readJson("package-lock.json"));
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && !link)
    .map(([path, entry]) => ({
      ...entry,
      path,
      name: entry.name ?? path.split("node_modules/").at(-1) ?? "",
    }));
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, name), "utf8"));
}
