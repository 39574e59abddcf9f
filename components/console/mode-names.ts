import type { ApiMode } from "#lib/hosted/contract/tenant.ts";

/** What the modes are called. */
export const MODE_NAMES: Record<ApiMode, string> = { live: "Live", test: "Test" };
