import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { parseSetCookie } from "../cookies.ts";
import { type HasFault, invalidRequest, SiteError } from "./reference.fixture.ts";

/** A real site can wait ten seconds for the rest of a body, but a test cannot. */
const STALL_MS = 100;
const MOST_SECONDS = 253_402_300_799;
const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true });
const NUMBER_WORDS = /:(NaN|Infinity)\b/g;
const KNOWN = ["public_key", "signature", "challenge", "timestamp", "device_info", "intent"];

/**
 * With the query.
 * @throws {SiteError} 400 or 414
 */
export function readTarget({ url = "/", method }: IncomingMessage, has: HasFault) {
  if (url.length > 4_096 && !has("long-targets")) throw new SiteError(414, "uri_too_long");
  const [path = "/", search = ""] = url.split(/\?(.*)/s);
  if ((/%(?![0-9a-f]{2})/i.test(url) || !decodes(url)) && !has("percent-unchecked")) {
    throw has("decoding-throws") ? new Error("URI malformed") : invalidRequest();
  }
  if (method === "TRACE" && has("trace-throws")) throw new Error("Unknown method");
  const query = new URLSearchParams(search);
  const names = [...query.keys()];
  if (names.length > 64 && !has("many-fields")) throw invalidRequest();
  if (new Set(names).size < names.length && !has("fields-twice")) throw invalidRequest();
  return { path, query };
}

export function readCookies({ headers }: IncomingMessage): Record<string, string> {
  const pairs = (headers.cookie ?? "").split("; ").map(parseSetCookie);
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** @throws {SiteError} 400 if the rest of the body does not arrive */
export function readBody(request: IncomingMessage, has: HasFault): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const giveUp = () => reject(has("stall-throws") ? new Error("aborted") : invalidRequest());
    // If this process was delayed, it must first read what has arrived in the meantime.
    const timer = setTimeout(() => setImmediate(() => request.complete || giveUp()), STALL_MS);
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      clearTimeout(timer);
      resolve(Buffer.concat(parts));
    });
  });
}

/** @throws {SiteError} 400 unless the body is a JSON object, or 413 */
export function readJson(bytes: Buffer, has: HasFault): Record<string, unknown> {
  if (bytes.length > 64 * 1024 && !has("large-bodies")) throw new SiteError(413, "payload_too_large");
  let body: unknown;
  try {
    const text = isUtf8(bytes) || !has("any-utf8") ? STRICT_UTF8.decode(bytes) : bytes.toString();
    body = JSON.parse(
      text.search(NUMBER_WORDS) >= 0 && has("nan-read") ? text.replace(NUMBER_WORDS, ":0") : text,
    );
  } catch (error) {
    throw has("parse-throws") ? error : invalidRequest();
  }
  if (Array.isArray(body) && has("arrays-opened")) body = body[0];
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw invalidRequest();
  if (depthOf(body) > 16 && !has("deep-bodies")) throw invalidRequest();
  return body as Record<string, unknown>;
}

/** @throws {SiteError} 415 unless the content type is JSON */
export function expectJson({ headers }: IncomingMessage, has: HasFault): void {
  const isJson = /^application\/json\b/.test(headers["content-type"] ?? "");
  if ((!isJson && !has("any-content-type")) || (headers["content-encoding"] && !has("any-encoding")))
    throw new SiteError(415, "unsupported_media_type");
}

/** @throws {SiteError} 400, 413 or 415 */
export async function readResponse(
  request: IncomingMessage,
  has: HasFault,
): Promise<Record<string, unknown>> {
  expectJson(request, has);
  const body = readJson(await readBody(request, has), has);
  const inheritedValue = Object.getOwnPropertyDescriptor(body, "__proto__")?.value;
  const own =
    inheritedValue !== undefined && has("prototype-followed") ? { ...inheritedValue, ...body } : body;
  const fields: Record<string, unknown> = { ...own };
  for (const name of ["public_key", "signature", "challenge"]) {
    if (typeof fields[name] !== "string" && fields[name] !== undefined && has("fields-converted"))
      fields[name] = String(fields[name]);
    if (typeof fields[name] !== "string" && !has("fields-unchecked")) throw invalidRequest();
    if (/\0|[\ud800-\udfff]/.test(String(fields[name])) && has("text-throws"))
      throw new Error("invalid byte sequence");
  }
  const { timestamp } = fields;
  const isInteger =
    Number.isInteger(timestamp) && Number(timestamp) >= 0 && Number(timestamp) <= MOST_SECONDS;
  if (!isInteger && !has("any-timestamp")) throw invalidRequest();
  if (Math.abs(Number(timestamp) - Date.now() / 1000) > 600 && has("clock-compared")) throw invalidRequest();
  if (Object.keys(fields).some((name) => !KNOWN.includes(name)) && has("strict-fields"))
    throw invalidRequest();
  const { device_info: device, intent } = fields;
  const isText = intent === undefined || intent === null || typeof intent === "string";
  if (!isText && !has("any-intent-type")) throw invalidRequest();
  if (device === undefined && !has("device-required")) return fields;
  if (typeof device !== "object" || device === null || Array.isArray(device)) throw invalidRequest();
  for (const [name, most] of [
    ["platform", 100],
    ["version", 100],
    ["device_id", 200],
  ] as const) {
    const value = (device as Record<string, unknown>)[name];
    if (value === undefined) continue;
    if (typeof value !== "string" || /[\0\ud800-\udfff]/u.test(value)) throw invalidRequest();
    const isShort = value.length <= most || ([...value].length <= most && has("length-in-code-points"));
    if (!isShort && !has("any-length")) throw invalidRequest();
  }
  return fields;
}

function depthOf(value: unknown): number {
  let depth = 0;
  for (let level: unknown[] = [value]; level.length > 0 && depth < 40; depth++) {
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return depth;
}
