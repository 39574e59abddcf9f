import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vitest/node";

const ROOT = join(import.meta.dirname, "..", "..");

export type Pattern = { source: string; flags: string };
export type FoundPattern = Pattern & { at: string };

export function listCodeFiles(): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    ...{ cwd: ROOT, encoding: "utf8" },
  });
  return listed
    .split("\n")
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !/\.(test|spec|fixture|d)\.[cm]?[jt]sx?$/.test(file));
}

type Node = { type: string; start: number; [key: string]: unknown };

const isNode = (value: unknown): value is Node => typeof Object(value).type === "string";

/** Returns the regular expressions in a file's code, and the number of patterns that it builds at runtime. */
export function readPatterns(file: string, code = readFileSync(join(ROOT, file), "utf8")) {
  const written: FoundPattern[] = [];
  let builtCount = 0;
  const visit = (node: Node) => {
    if (node.type === "Literal" && node.regex) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      const line = code.slice(0, node.start).split("\n").length;
      written.push({ at: `${file}:${line}`, source: pattern, flags });
    }
    if (Object(node.callee).name === "RegExp") builtCount += 1;
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(parseAst(code, { lang: file.endsWith("ts") ? "ts" : "tsx" }) as never);
  return { file, written, built: builtCount };
}

/**
 * Loads a module again and records each pattern that it builds while loading.
 * @param file a path from the repository's root
 */
export async function recordPatternsOnLoad(file: string): Promise<FoundPattern[]> {
  const noted: FoundPattern[] = [];
  const { RegExp: Original } = globalThis;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args, newTarget) {
      const pattern: RegExp = Reflect.construct(target, args, newTarget);
      // While this module loads, the modules that it imports also build patterns. The stack's third line is the caller.
      const [, , caller = ""] = new Error().stack?.split("\n") ?? [];
      if (caller.includes(file)) noted.push({ at: file, source: pattern.source, flags: pattern.flags });
      return pattern;
    },
  });
  try {
    await import(/* @vite-ignore */ `${join(ROOT, file)}?patterns=${randomUUID()}`);
  } finally {
    globalThis.RegExp = Original;
  }
  return noted;
}
