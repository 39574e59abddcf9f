import type { Level, Texts } from "../check.ts";
import { FAST_TEXTS } from "../texts/fast.ts";
import { HOSTED_TEXTS } from "../texts/hosted.ts";
import { RECEIVER_TEXTS } from "../texts/receiver.ts";
import { SITE_TEXTS } from "../texts/site.ts";
import { WALLET_TEXTS } from "../texts/wallet.ts";

/** The pages in docs/ that list the checks of each flow, with the texts on each page. */
export const REFERENCE_PAGES: Readonly<Record<string, Texts>> = {
  "conformance-site": SITE_TEXTS,
  "conformance-fast-login": FAST_TEXTS,
  "conformance-hosted-api": HOSTED_TEXTS,
  "conformance-receiver": RECEIVER_TEXTS,
  "conformance-wallet": WALLET_TEXTS,
};

/** The headings of those sections in docs/protocol.md that checks belong to, keyed by section number. */
const SECTIONS: Readonly<Record<string, string>> = {
  "1.1": "Challenge",
  "1.2": "QR payload",
  "1.3": "Public key",
  "1.4": "Signature",
  "1.5": "Wallet response",
  "1.6": "Fast tokens and messages",
  "1.7": "Time and identifiers",
  "2.1": "Errors",
  "2.2": "Hostile input",
  "2.3": "Headers",
  "2.4": "Limits",
  "3.1": "GET /api/svc/qr",
  "3.2": "POST /webhook/login, POST /webhook/register",
  "3.3": "GET /api/svc/check",
  "3.4": "GET /api/svc/events",
  "3.5": "Signing in",
  "3.6": "Intents",
  "4.1": "The binding cookie",
  "4.2": "Redemption",
  "4.3": "Signing out",
  "5.1": "Authentication",
  "5.2": "Sessions",
  "5.3": "Signatures",
  "5.4": "Domains",
  "5.5": "Webhook URLs",
  "5.6": "Events",
  "6": "Fast login",
  "6.1": "GET /api/getqrcode",
  "6.2": "GET and POST /api/fastauth",
  "6.3": "GET /api/checkfast",
  "6.4": "GET /dashboard?sid=",
  "7": "Wallets",
  "9.1": "The file",
  "9.2": "What a wallet does",
  "11.1": "Before signing",
  "11.2": "After signing",
};

/** A place in docs/: a page, named without `.md`, and an anchor on that page. */
export type Place = { page: string; anchor: string };

/** Returns the section in docs/protocol.md that a check belongs to. */
export function sectionOf(id: string): Place & { title: string } {
  const number = id.split("-")[0] ?? "";
  const heading = SECTIONS[number] ?? "";
  const title = `${number} ${heading}`.trim();
  const anchor = `${number.includes(".") ? number : `${number}.`} ${heading}`;
  return {
    title,
    page: "protocol",
    anchor: anchor
      .toLowerCase()
      .replace(/[^a-z\d -]/g, "")
      .replaceAll(" ", "-"),
  };
}

/** Returns the anchor of a check's table row. */
export function anchorOf(id: string): string {
  return id.replaceAll(".", "");
}

/** Explains a check: its requirement, why the requirement matters, and how to fix a failure. */
export type Explanation = {
  id: string;
  level: Level;
  requirement: string;
  cause: string;
  family: string;
  why: string;
  fix: string;
  svcLogin: string | null;
};

/** The explanation of every check and the page that lists the check, keyed by the check's id. */
const EXPLANATIONS: ReadonlyMap<string, Explanation & { page: string }> = new Map(
  Object.entries(REFERENCE_PAGES).flatMap(([page, texts]) =>
    Object.entries(texts).flatMap(([family, { checks, fix, why, svcLogin = null }]) =>
      Object.entries(checks).map(([id, text]) => {
        const level: Level = "MUST";
        return [id, { page, id, level, fix, ...text, family, why, svcLogin }] as const;
      }),
    ),
  ),
);

export function listCheckIds(): string[] {
  return [...EXPLANATIONS.keys()];
}

/** Returns a check's explanation, or null if no check has this id. */
export function explain(id: string): Explanation | null {
  return EXPLANATIONS.get(id) ?? null;
}

/** Returns the place of the table row that describes a check. */
export function findReferenceRow(id: string): Place {
  return { page: EXPLANATIONS.get(id)?.page ?? "", anchor: anchorOf(id) };
}
