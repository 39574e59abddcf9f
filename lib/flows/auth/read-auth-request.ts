import "server-only";
import { cookies } from "next/headers";
import { NextRequest } from "next/server";
import { ApiError } from "#lib/core/api-error.ts";
import { readBytes, readJson } from "#lib/core/http/read-json.ts";

/** The cookies in which NextAuth keeps where to go after signing in: over http, and over https. */
const CALLBACK_URL_COOKIES = ["next-auth.callback-url", "__Secure-next-auth.callback-url"];

/**
 * A request to NextAuth's endpoints with nothing in it that NextAuth answers with a 500: the body becomes a form of
 * text fields, and a callback URL that is no URL is dropped from the query and from the cookie.
 * @throws {ApiError} 400, 413 or 415 for a body that is neither a form nor a JSON object of plain values
 */
export async function readAuthRequest(request: Request): Promise<NextRequest> {
  const url = new URL(request.url);
  if (!isHttpUrl(url.searchParams.get("callbackUrl") ?? "/", url.origin))
    url.searchParams.delete("callbackUrl");
  const jar = await cookies();
  for (const name of CALLBACK_URL_COOKIES) {
    if (!isHttpUrl(jar.get(name)?.value ?? "/", url.origin)) jar.delete(name);
  }
  const { method, headers } = request;
  if (method !== "POST") return new NextRequest(url, { method, headers });
  const form = new URLSearchParams(await readFields(request));
  const formHeaders = new Headers(headers);
  formHeaders.set("content-type", "application/x-www-form-urlencoded");
  return new NextRequest(url, { method, headers: formHeaders, body: form.toString() });
}

function isHttpUrl(text: string, origin: string): boolean {
  const url = URL.parse(text, text.startsWith("/") ? origin : undefined);
  return url !== null && /^https?:$/.test(url.protocol);
}

async function readFields(request: Request): Promise<Record<string, string>> {
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return textFields(await readJson(request));
  const text = Buffer.from(await readBytes(request)).toString("utf8");
  if (type !== "application/x-www-form-urlencoded" && text !== "") {
    throw new ApiError("unsupported_media_type", "Send the body as a form or as application/json.");
  }
  return Object.fromEntries(new URLSearchParams(text));
}

function textFields(body: unknown): Record<string, string> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ApiError("invalid_request", "The body is not a JSON object.");
  }
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (typeof value === "object") throw new ApiError("invalid_request", "A field is not a plain value.");
      return [name, String(value)];
    }),
  );
}
