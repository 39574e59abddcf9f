import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Paths are relative to the application's root. */
export type Application = {
  root: string;
  /** The folder that contains `app/`: `src`, or an empty string if that is the application's root. */
  base: "" | "src";
  /** The import prefix for files in `base`, such as `@/`, or null if tsconfig.json defines no alias. */
  alias: string | null;
  /** The major version of `next-auth`, or null if it is not installed. */
  nextAuth: number | null;
  packages: Readonly<Record<string, string>>;
};

/** `page` is the guide that describes the manual steps. */
export class UnsupportedApplicationError extends Error {
  override name = "UnsupportedApplicationError";
  readonly page: string;

  constructor(message: string, page = "docs/existing-application.md") {
    super(message);
    this.page = page;
  }
}

const OLDEST_NEXT = 16;

/** @throws {UnsupportedApplicationError} unless the folder contains a supported application with the App Router */
export function readApplication(root: string): Application {
  const { dependencies = {}, devDependencies = {} } = readManifest(root);
  const packages: Record<string, string> = { ...devDependencies, ...dependencies };
  if (!packages.next) {
    throw new UnsupportedApplicationError(
      "package.json does not name next. For other frameworks see the guide.",
      OTHER_FRAMEWORKS_GUIDE,
    );
  }
  const next = majorOf(root, "next", packages.next);
  if (next !== null && next < OLDEST_NEXT) {
    throw new UnsupportedApplicationError(
      `The login needs Next.js ${OLDEST_NEXT}, and this is ${next}: npm install next@16`,
    );
  }
  const base = existsSync(join(root, "src", "app")) ? "src" : "";
  if (!existsSync(join(root, base, "app"))) {
    throw new UnsupportedApplicationError(
      "There is no folder app or src/app, and the login needs the App Router. Pages in pages/ can stay: add app/layout.tsx next to them.",
    );
  }
  if (!existsSync(join(root, "tsconfig.json"))) {
    throw new UnsupportedApplicationError(
      "There is no tsconfig.json, and the files to be written are TypeScript.",
    );
  }
  return {
    ...{ root, base, packages },
    alias: aliasOf(readTextFile(root, "tsconfig.json") ?? "", base),
    nextAuth: packages["next-auth"] ? majorOf(root, "next-auth", packages["next-auth"]) : null,
  };
}

export const OTHER_FRAMEWORKS_GUIDE = "docs/other-frameworks.md";

export function readTextFile(root: string, path: string): string | null {
  const file = join(root, path);
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : null;
}

function readManifest(root: string): Record<string, Record<string, string> | undefined> {
  const text = readTextFile(root, "package.json");
  if (text === null) {
    throw new UnsupportedApplicationError(
      `There is no package.json in ${root}. Go to your Next.js application's folder.`,
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnsupportedApplicationError(
      `package.json is not valid JSON. Fix it first: ${(error as Error).message}`,
    );
  }
}

/** The installed major version or, if the package is not installed, the first number in the range. */
function majorOf(root: string, name: string, range: string): number | null {
  const installed = readTextFile(root, join("node_modules", name, "package.json"));
  const version: string = installed ? JSON.parse(installed).version : range;
  const [major] = /\d+/.exec(version) ?? [];
  return major === undefined ? null : Number(major);
}

/** tsconfig.json may contain comments, so it is not parsed as JSON. */
function aliasOf(tsconfig: string, base: string): string | null {
  const target = base ? `(?:\\./)?${base}/` : "(?:\\./)?";
  return new RegExp(`"([^"/]{1,20}/)\\*":\\s*\\[\\s*"${target}\\*"`).exec(tsconfig)?.[1] ?? null;
}

export function formatImportPath({ alias }: Application, from: string, target: string): string {
  if (alias !== null) return alias + target;
  const depth = from.split("/").length - 1;
  return (depth === 0 ? "./" : "../".repeat(depth)) + target;
}
