import { z } from "zod";
import { API_MODES, type ApiMode } from "./tenant.ts";

/** API keys of the hosted API (docs/protocol.md#51-authentication): `svc_live_…` and `svc_test_…`. */

const SECRET_CHARACTERS = 43;
const KEY = new RegExp(`^svc_(?:${API_MODES.join("|")})_[A-Za-z0-9_-]{${SECRET_CHARACTERS}}$`);

/** What a key of a mode begins with. */
export function apiKeyPrefix(mode: ApiMode): string {
  return `svc_${mode}_`;
}

/** True for a text that can be a key of this mode. */
export function isApiKey(text: string, mode: ApiMode): boolean {
  return KEY.test(text) && text.startsWith(apiKeyPrefix(mode));
}

/** What a tenant says of a new key. */
export const NewApiKey = z.object({
  mode: z.enum(API_MODES, 'expected "live" or "test"'),
  /** What the tenant calls it. */
  name: z.string().trim().min(1, "expected a name").max(100, "expected up to 100 characters"),
});
export type NewApiKey = z.infer<typeof NewApiKey>;
