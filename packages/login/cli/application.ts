import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The facts about a Next.js application that the command needs. Paths are relative to the application's root. */
export type Application = {
  root: string;
  /** The folder that contains `app/`: `src`, or an empty string for the root itself. */
  base: "" | "src";
  /**
   * The prefix with which any file can import files in `base`: `@/` if the application has that alias, otherwise null.
   */
  alias: string | null;
  /** The major version of `next-auth`, or null if it is not installed. */
  nextAuth: number | null;
  /** The version range of each package in package.json. */
  packages: Readonly<Record<string, string>>;
};

/** Something that the command does not support. `page` is the guide that describes the manual steps. */
export class UnsupportedApplicationError extends Error {
  override name = "UnsupportedApplicationError";
  readonly page: string;

  constructor(message: string, page = "docs/existing-application.md") {
    super(message);
    this.page = page;
  }
}

const OLDEST_NEXT = 16;

/**
 * @throws {UnsupportedApplicationError} unless the folder contains an application with the App Router to which the
 * login can be added
 */
export function readApplication(root: string): Application {
  const { dependencies = {}, devDependencies = {} } = readManifest(root);
  const packages: Record<string, string> = { ...devDependencies, ...dependencies };
  if (!packages.next) {
    throw new UnsupportedApplicationError(
      "package.json does not name next. For other frameworks see the guide.",
      OTHER_FRAMEWORKS,
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
    alias: aliasOf(readText(root, "tsconfig.json") ?? "", base),
    nextAuth: packages["next-auth"] ? majorOf(root, "next-auth", packages["next-auth"]) : null,
  };
}

export const OTHER_FRAMEWORKS = "docs/other-frameworks.md";

/** Reads a file's text, or returns null if there is no such file. */
export function readText(root: string, path: string): string | null {
  const file = join(root, path);
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : null;
}

function readManifest(root: string): Record<string, Record<string, string> | undefined> {
  const text = readText(root, "package.json");
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

/** Returns the installed major version, or else the first number in the range. */
function majorOf(root: string, name: string, range: string): number | null {
  const installed = readText(root, join("node_modules", name, "package.json"));
  const version: string = installed ? JSON.parse(installed).version : range;
  const [major] = /\d+/.exec(version) ?? [];
  return major === undefined ? null : Number(major);
}

/** Finds `"@/*": ["./src/*"]` in the compiler's options. The file may contain comments, so it is not parsed as JSON. */
function aliasOf(tsconfig: string, base: string): string | null {
  const target = base ? `(?:\\./)?${base}/` : "(?:\\./)?";
  return new RegExp(`"([^"/]{1,20}/)\\*":\\s*\\[\\s*"${target}\\*"`).exec(tsconfig)?.[1] ?? null;
}

/** Returns how one file in `base` imports another, without its extension. */
export function importPath({ alias }: Application, from: string, target: string): string {
  if (alias !== null) return alias + target;
  const depth = from.split("/").length - 1;
  return (depth === 0 ? "./" : "../".repeat(depth)) + target;
}
