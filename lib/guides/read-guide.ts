import "server-only";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Guide, parseGuide } from "./parse-guide.ts";

/** The files of docs/, which lie beside the application in a clone and in a package. */
const FOLDER = join(/* turbopackIgnore: true */ process.cwd(), "docs");

let names: ReadonlySet<string> | null = null;
const guides = new Map<string, Promise<Guide>>();

/** The files that can be read, relative to docs/, sorted. No other name leads to a file. */
export function guideFiles(): ReadonlySet<string> {
  names ??= new Set(globSync("{*,decisions/*}.md", { cwd: FOLDER }).toSorted());
  return names;
}

/** A page of docs/, taken apart once; null for a name that is none of them. */
export async function readGuide(file: string): Promise<Guide | null> {
  if (!guideFiles().has(file)) return null;
  let guide = guides.get(file);
  if (!guide) {
    guide = readFile(join(FOLDER, file), "utf8").then(parseGuide);
    // What is being written is read again.
    if (process.env.NODE_ENV === "production") guides.set(file, guide);
    guide.catch(() => guides.delete(file));
  }
  return guide;
}
