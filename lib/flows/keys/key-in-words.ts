import type { ApiKeyRow } from "#lib/store/api-key.ts";

/** An API key as its owner knows it: the name and the first characters, `Laptop (svc_live_Zk3f…)`. */
export function keyInWords({ name, prefix }: Pick<ApiKeyRow, "name" | "prefix">): string {
  return `${name} (${prefix}…)`;
}
