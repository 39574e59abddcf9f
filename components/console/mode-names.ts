import type { ApiMode } from "#lib/contracts/hosted/tenant.ts";

/** What the modes are called. */
export const MODE_NAMES: Record<ApiMode, string> = { live: "Live", test: "Test" };
