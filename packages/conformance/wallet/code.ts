import { randomInt } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
export const randomText = (length: number) => Array.from({ length }, () => ALPHABET[randomInt(62)]).join("");

export type Action = "login" | "register";

/** Fields that are not set have correct values. */
export type CodeParts = {
  webhook: string;
  action?: Action;
  domain?: string;
  /** In seconds. Negative if the challenge is from the future. */
  age?: number;
  challenge?: string;
  ts?: string;
  intent?: "add" | "approve" | "recover";
  /** Repeated or unknown, after the usual parameters. */
  more?: readonly (readonly [name: string, value: string])[];
};

/** Not in any version of the protocol. */
export const UNKNOWN_PARAMETER = ["colour", "blue"] as const;

export function makeChallenge({
  action = "login",
  domain = "localhost",
  age = 0,
}: Pick<CodeParts, "action" | "domain" | "age">): string {
  return `svc:${action}:${domain}:${Math.floor(Date.now() / 1000) - age}:${randomText(32)}`;
}

export function makePayload(parts: CodeParts): { payload: string; challenge: string } {
  const challenge = parts.challenge ?? makeChallenge(parts);
  const fields = new URLSearchParams({
    webhook: parts.webhook,
    session: randomText(32),
    challenge,
    ts: parts.ts ?? challenge.split(":")[3] ?? "",
  });
  if (parts.intent) fields.set("intent", parts.intent);
  for (const [name, value] of parts.more ?? []) fields.append(name, value);
  return { payload: `svc://auth?${fields}`, challenge };
}
