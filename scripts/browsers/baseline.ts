import { join } from "node:path";

/** Those of Next.js (docs/where-it-runs.md#browsers). */
export const BASELINE = { chrome: 111, firefox: 111, safari: 16.4 };

/** `list-newer.ts` writes this file. */
export const NEWER_BUILTINS_FILE = join(import.meta.dirname, "newer-builtins.json");

/** Globals, and members of constructors (`URL.parse`) or prototypes (`Array.at`). */
export type Builtins = { globals: string[]; statics: string[]; members: string[] };
