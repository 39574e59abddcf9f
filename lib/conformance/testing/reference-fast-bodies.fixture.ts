import type { IncomingMessage } from "node:http";
import type { Has } from "./planted.fixture.ts";
import type { Signed } from "./reference-bitcoin.fixture.ts";
import { readBody } from "./reference-requests.fixture.ts";
import { SiteError } from "./site-error.fixture.ts";

/** In which shapes the reference site takes a response, and the places where a fault changes that. */

/** @throws {SiteError} 400, 413 */
export async function readSigned(
  request: IncomingMessage,
  query: URLSearchParams,
  has: Has,
): Promise<Signed> {
  if (request.method !== "POST") return has("post-only") ? pick(() => null) : pick((name) => query.get(name));
  const bytes = await readBody(request, has);
  if (bytes.length > 64 * 1024 && !has("large-bodies")) throw new SiteError(413, "", "Too large.");
  const type = request.headers["content-type"] ?? "";
  const text = bytes.toString("utf8");
  if (type.startsWith("multipart/form-data")) {
    if (has("no-multipart")) return pick(() => null);
    return pick((name) => new RegExp(`name="${name}"\r\n\r\n(.*)\r\n`).exec(text)?.[1] ?? null);
  }
  const form = new URLSearchParams(type.includes("urlencoded") ? text : "");
  if (form.has("msg")) return pick((name) => form.get(name));
  if (query.has("msg") && has("query-merged")) return pick((name) => query.get(name));
  if (text !== "" && !type.includes("json") && has("typed-json")) return pick(() => null);
  const data = dataOf(text, has) as Record<string, unknown> | null | undefined;
  return pick((name) => {
    const value = Object.getOwnPropertyDescriptor(data ?? {}, name)?.value;
    if (typeof value !== "string" && value !== undefined && has("types-throw"))
      return (value as string).trim();
    return typeof value === "string" ? value : null;
  });
}

function dataOf(text: string, has: Has): unknown {
  try {
    const body = JSON.parse(text);
    const isObject = typeof body === "object" && body !== null;
    if (isObject && "data" in body && has("data-at-top")) return body;
    return isObject ? body.data : null;
  } catch (error) {
    if (has("parse-throws")) throw error;
    return null;
  }
}

function pick(field: (name: string) => string | null): Signed {
  const [pubk = "", msg = "", sig = "", addr = ""] = ["pubk", "msg", "sig", "addr"].map(
    (name) => field(name) ?? "",
  );
  return { pubk, msg, sig, addr };
}
