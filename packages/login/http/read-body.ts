import type { z } from "zod";
import { waitForEventLoopTurn } from "../process/state.ts";
import { Refusal, refusal } from "../protocol/errors.ts";
import { type RequestHeaders, readTruncatedHeader } from "../server/web-request.ts";
import { BODY_DEADLINE_SECONDS, BODY_LIMIT_BYTES, FIELDS_LIMIT, JSON_DEPTH_LIMIT } from "./numbers.ts";

/** Bodies larger than this are parsed one at a time (`waitForEventLoopTurn`). Most bodies are smaller. */
const LARGE_BODY_BYTES = 8 * 1024;

/**
 * @throws {Refusal} 415 if the content type or encoding is not allowed; 413 above 64 KB; 400 if the body stalls, is not
 * UTF-8 or JSON, is nested too deeply, or contains text that databases cannot store (NUL, lone surrogates)
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  requireJson(request.headers);
  return parseJson(await readBodyBytes(request));
}

async function readOptionalJson(request: Request): Promise<unknown> {
  const bytes = await readBodyBytes(request);
  if (bytes.length === 0) return undefined;
  requireJson(request.headers);
  return parseJson(bytes);
}

function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal("invalid_request", "The body is not valid JSON.");
  }
  assertStorable(value);
  return value;
}

function requireJson(headers: RequestHeaders): void {
  const [type = "", ...parameters] = readTruncatedHeader(headers, "content-type").toLowerCase().split(";");
  if (type.trim() !== "application/json" || !parameters.every(allowsUtf8)) {
    throw refusal("unsupported_media_type", "Send the body as application/json in UTF-8.");
  }
  const encodings = readTruncatedHeader(headers, "content-encoding").toLowerCase().split(",");
  if (!encodings.every((encoding) => ["", "identity"].includes(encoding.trim()))) {
    throw refusal("unsupported_media_type", "Send the body without content encoding.");
  }
}

/**
 * Libraries write this parameter in many ways: as `utf8`, in either kind of quotes, with spaces around the equals sign,
 * or with an empty value. The bytes are checked when they are decoded.
 * @param parameter the parameter in lower case
 */
function allowsUtf8(parameter: string): boolean {
  const [name = "", value = ""] = parameter.split("=", 2).map((part) => part.trim());
  if (name !== "charset") return true;
  const label = value
    .replace(/^(["'])(.*)\1$/, "$2")
    .replaceAll("\\", "")
    .trim();
  if (label === "") return true;
  try {
    return new TextDecoder(label).encoding === "utf-8";
  } catch {
    return false;
  }
}

/** Reads a body of at most 64 KB, which must arrive within 10 s. */
export async function readBodyBytes({
  body,
}: {
  body: AsyncIterable<Uint8Array> | null;
}): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const read = async () => {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > BODY_LIMIT_BYTES) {
        throw refusal("payload_too_large", `A body can have up to ${BODY_LIMIT_BYTES} bytes.`);
      }
      chunks.push(chunk);
    }
  };
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timeoutMessage = `The body did not arrive within ${BODY_DEADLINE_SECONDS} s.`;
  const timer = setTimeout(
    () => reject(refusal("invalid_request", timeoutMessage)),
    BODY_DEADLINE_SECONDS * 1000,
  );
  try {
    await Promise.race([read(), deadline]);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw refusal("invalid_request", "The body ended early.");
  } finally {
    clearTimeout(timer);
  }
  if (size > LARGE_BODY_BYTES) await waitForEventLoopTurn();
  return Buffer.concat(chunks);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refusal("invalid_request", "The body is not valid UTF-8.");
  }
}

function assertStorable(root: unknown): void {
  const queue: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let item = queue.pop(); item; item = queue.pop()) {
    const { value, depth } = item;
    if (depth > JSON_DEPTH_LIMIT) {
      throw refusal("invalid_request", `The body is nested deeper than ${JSON_DEPTH_LIMIT} levels.`);
    }
    if (typeof value === "string") assertStorableText(value);
    if (typeof value !== "object" || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      assertStorableText(key);
      queue.push({ value: child, depth: depth + 1 });
    }
  }
}

function assertStorableText(text: string): void {
  if (text.includes("\0") || !text.isWellFormed()) {
    throw refusal("invalid_request", "The body contains NUL characters or lone surrogates.");
  }
}

/**
 * Drops unknown fields.
 * @throws {Refusal} as `readJsonBody`; 400 with `details.fields`, which contains a message for each invalid field
 */
export async function parseBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return parseInput("body", await readJsonBody(request), schema);
}

/** Treats a missing body as an empty object. */
export async function parseOptionalBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return parseInput("body", (await readOptionalJson(request)) ?? {}, schema);
}

/**
 * Drops unknown names.
 * @throws {Refusal} 400 with `details.fields`, which contains a message for each invalid name
 */
export function parseQuery<Schema extends z.ZodType>(
  query: Record<string, string | undefined>,
  schema: Schema,
): z.infer<Schema> {
  return parseInput("query", { ...query }, schema);
}

function parseInput<Schema extends z.ZodType>(
  what: "body" | "query",
  input: unknown,
  schema: Schema,
): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join(".") || what] ??= issue.message;
  const names = Object.keys(fields).join(", ");
  throw refusal("invalid_request", `The ${what} is not as expected: ${names}.`, { details: { fields } });
}

/** @throws {Refusal} 400 if the form has more fields than are allowed */
export function parseFormFields(text: string): URLSearchParams {
  if (hasTooManyFields(text)) {
    throw refusal("invalid_request", `The form has more than ${FIELDS_LIMIT} fields. Send fewer.`);
  }
  return new URLSearchParams(text);
}

export function hasTooManyFields(text: string): boolean {
  return text.split("&").filter(Boolean).length > FIELDS_LIMIT;
}
