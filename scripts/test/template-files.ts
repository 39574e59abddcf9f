import { readdirSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = [
  "app/sandbox",
  "app/webhook",
  "components",
  "e2e/support",
  "e2e/template",
  "lib",
  "scripts/template",
];
const FILES = [
  "app/globals.css",
  "docs/existing-application.md",
  "package.json",
  "package-lock.json",
  "scripts/template.ts",
  "tsconfig.json",
];

/** Everything that the template's test depends on: what is packed and copied, and what tests it. */
export function templateFiles(root: string): string[] {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return [...below, ...FILES.map((file) => join(root, file))].toSorted();
}
