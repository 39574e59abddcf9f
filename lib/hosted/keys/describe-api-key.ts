import type { ApiKeyRow } from "../store/api-key.ts";

/** An API key as its tenant knows it: the name and the first characters, `Laptop (svc_live_Zk3f…)`. */
export function describeApiKey({ name, prefix }: Pick<ApiKeyRow, "name" | "prefix">): string {
  return `${name} (${prefix}…)`;
}
