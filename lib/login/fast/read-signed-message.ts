import { readBytes, readForm } from "../http/read-body.ts";
import type { WebRequest } from "../http/web-request.ts";

/** The fields of a wallet response; empty where the wallet sent none, or nothing readable. */
export type SignedMessage = { pubk: string; msg: string; sig: string; addr: string };

type Field = (name: string) => unknown;

/**
 * Reads a wallet response (docs/protocol.md#62-get-and-post-apifastauth): from the query of a GET; from a form body; and, when the
 * form's `msg` is empty, from raw JSON under `data`, whatever the content type says. What cannot be read is left
 * empty, so that it is judged in the order of the rules: nothing verifies over it.
 * @throws {ApiError} 413 above 64 KB, 400 for a body that stalls, ends early or has too many fields
 */
export async function readSignedMessage(
  request: WebRequest,
  query: Record<string, string | undefined>,
): Promise<SignedMessage> {
  if (request.method !== "POST") return pick((name) => query[name]);
  const bytes = await readBytes(request);
  const form = await readFormOf(request.headers.get("content-type") ?? "", bytes);
  const fromForm = pick((name) => form?.get(name));
  return fromForm.msg === "" ? pick(readData(bytes)) : fromForm;
}

function pick(field: Field): SignedMessage {
  const text = (name: string) => {
    const value = field(name);
    return typeof value === "string" ? value : "";
  };
  return { pubk: text("pubk"), msg: text("msg"), sig: text("sig"), addr: text("addr") };
}

async function readFormOf(
  contentType: string,
  bytes: Uint8Array,
): Promise<{ get(name: string): unknown } | null> {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") return readForm(decodeUtf8(bytes) ?? "");
  if (type !== "multipart/form-data") return null;
  try {
    const body = new Response(Uint8Array.from(bytes), { headers: { "Content-Type": contentType } });
    return await body.formData();
  } catch {
    return null;
  }
}

// `pubk` may also stand beside `data`.
function readData(bytes: Uint8Array): Field {
  let body: unknown;
  try {
    body = JSON.parse(decodeUtf8(bytes) ?? "");
  } catch {
    return () => undefined;
  }
  const data = ownField(body, "data");
  return (name) => ownField(data, name) ?? (name === "pubk" ? ownField(body, name) : undefined);
}

function ownField(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
