import { join } from "node:path";

/** The oldest supported browsers, which are those of Next.js (docs/where-it-runs.md#browsers). */
export const BASELINE = { chrome: 111, firefox: 111, safari: 16.4 };

/** The built-ins that at least one of the oldest supported browsers lacks. `list-newer.ts` writes this file. */
export const NEWER_BUILTINS_FILE = join(import.meta.dirname, "newer-builtins.json");

/** Names of built-ins: globals, and members of constructors (`URL.parse`) or prototypes (`Array.at`). */
export type Builtins = { globals: string[]; statics: string[]; members: string[] };
