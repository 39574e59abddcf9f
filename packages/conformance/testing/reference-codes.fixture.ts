import type { Action } from "../wallet/code.ts";
import type { Has } from "./reference.fixture.ts";

/** What the reference site puts into codes and cookies, and the places where a fault changes it. */

export const SESSION_COOKIE = "next-auth.session-token";
export const KNOWN_COOKIE = "svc-known-browser";

/** The cookie by which a browser is known, which never signs it in. */
export function knownCookie(word: string): string {
  return `${KNOWN_COOKIE}=${word}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax`;
}

export function bindingCookie(name: string, value: string, has: Has): string {
  const parts = [
    `${name}=${value}`,
    `Path=${has("narrow-path") ? "/api" : "/"}`,
    `Max-Age=${has("long-cookie") ? 31_536_000 : 600}`,
    ...(has("script-cookie") ? [] : ["HttpOnly"]),
    `SameSite=${has("samesite-none") ? "None" : "Lax"}`,
    ...(has("cookie-domain") ? ["Domain=localhost"] : []),
    ...(name.startsWith("__Host-") ? ["Secure"] : []),
  ];
  return parts.join("; ");
}

export function sessionCookie(value: string, has: Has, maxAge = 3600): string {
  const attributes = has("script-session") ? "SameSite=Lax" : "HttpOnly; SameSite=Lax";
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${maxAge}; ${attributes}`;
}

export type CodeParts = {
  origin: URL;
  sid: string;
  challenge: string;
  mode: Action;
  issuedAt: number;
  intent: string | null;
  secret: string;
};

/** The payload of a code; docs/protocol.md#12-qr-payload. */
export function writePayload(parts: CodeParts, qrFormat: "https" | undefined, has: Has): string {
  const { origin, sid, challenge, mode, issuedAt, intent, secret } = parts;
  const host = has("webhook-elsewhere") ? "https://elsewhere.example" : origin.origin;
  const webhook = `${host}/webhook/${mode !== "login" && has("one-webhook") ? "login" : mode}`;
  const asked: Record<string, string> = intent === null ? {} : { intent };
  if (qrFormat === "https") return `${webhook}?${new URLSearchParams({ s: sid, c: challenge, ...asked })}`;
  const fields = new URLSearchParams({
    webhook,
    session: has("payload-other-sid") ? "other" : sid,
    challenge: has("payload-other-challenge") ? challenge.toUpperCase() : challenge,
    ts: String(has("payload-other-ts") ? issuedAt + 30 : issuedAt),
    ...asked,
  });
  if (has("payload-twice")) fields.append("webhook", webhook);
  if (has("payload-secret")) fields.set("token", secret);
  return `${has("other-scheme") ? "wallet://login" : "svc://auth"}?${fields}`;
}
