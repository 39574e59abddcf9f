import type { OutgoingHttpHeaders } from "node:http";
import { startProxy } from "./proxy.fixture.ts";
import { HOSTILE_TEXT } from "./terminal.fixture.ts";

/** What stays as it is, so that a run comes further than its first code. */
const KEPT = ["sid", "challenge", "qr", "qr_data", "id", "csrfToken"];

/** Where hostile text stands: behind texts that carry nothing on, behind every text, or alone. */
export type Where = "some-texts" | "every-text" | "bodies";

/** A header holds Latin-1 alone: of the hostile characters, those of C1. */
const HOSTILE_HEADER = "\u009b2J\u0085";

/** In front of a site that is correct: what it says is not. */
export function startHostileWords(behind: URL, where: Where) {
  return startProxy(
    () => behind,
    ({ headers, body, ...answer }) => ({ ...answer, headers: spoilt(headers), body: garnished(body, where) }),
  );
}

function spoilt(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const names = ["content-type", "allow", "ratelimit-limit", "retry-after", "location", "x-request-id"];
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    names.includes(name) ? `${value}${HOSTILE_HEADER}` : value,
  ]);
  return { ...Object.fromEntries(entries), "x-hostile": HOSTILE_HEADER };
}

function garnished(text: string, where: Where): string {
  if (where === "bodies") return HOSTILE_TEXT;
  const garnish = (name: string, value: unknown) =>
    typeof value === "string" && !(where === "some-texts" && KEPT.includes(name))
      ? value + HOSTILE_TEXT
      : value;
  try {
    return JSON.stringify(JSON.parse(text, garnish));
  } catch {
    return text + HOSTILE_TEXT;
  }
}
