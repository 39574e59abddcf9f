import "server-only";
import { headers } from "next/headers";
import { env } from "#lib/core/env.ts";
import { readBrowserCookie } from "#lib/core/http/browser-cookie.ts";

/** The secret in the cookie of the browser that asks for a page, or null. */
export async function browserSecret(): Promise<string | null> {
  return readBrowserCookie((await headers()).get("cookie"), env().SECURE);
}
