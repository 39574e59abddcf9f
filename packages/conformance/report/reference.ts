import type { Level, Texts } from "../check.ts";
import { FAST_TEXTS } from "../texts/fast.ts";
import { HOSTED_TEXTS } from "../texts/hosted.ts";
import { RECEIVER_TEXTS } from "../texts/receiver.ts";
import { SITE_TEXTS } from "../texts/site.ts";
import { WALLET_TEXTS } from "../texts/wallet.ts";

export const REFERENCE_PAGES: Readonly<Record<string, Texts>> = {
  "conformance-site": SITE_TEXTS,
  "conformance-fast-login": FAST_TEXTS,
  "conformance-hosted-api": HOSTED_TEXTS,
  "conformance-receiver": RECEIVER_TEXTS,
  "conformance-wallet": WALLET_TEXTS,
};

/** In docs/protocol.md, for sections that checks belong to. */
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

/** In docs/: a page without `.md`, and an anchor on that page. */
export type Place = { page: string; anchor: string };

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

export function anchorOf(id: string): string {
  return id.replaceAll(".", "");
}

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

/** By the check's id, with the page that lists the check. */
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

export function explain(id: string): Explanation | null {
  return EXPLANATIONS.get(id) ?? null;
}

export function findReferenceRow(id: string): Place {
  return { page: EXPLANATIONS.get(id)?.page ?? "", anchor: anchorOf(id) };
}
