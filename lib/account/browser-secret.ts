import { headers } from "next/headers.js";
import { readBindingSecret } from "#lib/login/server/cookies.ts";
import { env } from "#lib/platform/env.ts";

/** The secret in the cookie of the browser that asks for a page, or null. */
export async function browserSecret(): Promise<string | null> {
  return readBindingSecret((await headers()).get("cookie"), env().SECURE);
}
