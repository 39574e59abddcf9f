import { HOSTILE_CODE_TEXTS } from "../texts/hostile-codes.ts";
import { type CodeParts, makeChallenge } from "./code.ts";

type Id = keyof typeof HOSTILE_CODE_TEXTS;

/** @returns null if this kind of code is not possible with this webhook */
type Make = (webhook: URL) => CodeParts | null;

/** A wallet that does not refuse the code sends its response to the site that shows the code, so the kit notices. */
type HostileCode = { id: Id; what: string; wrong?: string; make: Make };

/** A reserved name (RFC 2606), so it cannot have a delegation file that allows a host. */
const ELSEWHERE = "shop.example";

/** Setting a URL object's host would normalise the text. */
const written = ({ protocol, port, pathname }: URL, host: string) =>
  `${protocol}//${host}${port && `:${port}`}${pathname}`;

const isNumeric = ({ hostname }: URL) => /^[\d.]+$/.test(hostname);
const isThisMachine = ({ hostname }: URL) => hostname === "localhost" || hostname === "127.0.0.1";

const changed =
  (changes: (webhook: URL) => Partial<CodeParts>): Make =>
  (webhook) => ({ webhook: webhook.href, domain: webhook.hostname, ...changes(webhook) });

const forDomain =
  (domainOf: (host: string) => string | null): Make =>
  ({ href, hostname }) => {
    const domain = domainOf(hostname);
    return domain === null ? null : { webhook: href, domain };
  };

const noChallenge =
  (change: (challenge: string, domain: string) => string): Make =>
  ({ href, hostname: domain }) => {
    const challenge = change(makeChallenge({ domain }), domain);
    return { webhook: href, challenge, ts: challenge.split(":")[3] ?? "1" };
  };

/** This machine's IP address in a different notation. */
const disguisedWebhook =
  (host: string): Make =>
  (webhook) =>
    isThisMachine(webhook) ? { webhook: written(webhook, host), domain: "127.0.0.1" } : null;

const MAKES: Record<Id, Make> = {
  "7-webhook-host/another": forDomain(() => ELSEWHERE),
  "7-webhook-host/other-name": forDomain((host) => (host === "127.0.0.1" ? "localhost" : null)),
  "7-webhook-host/parent": forDomain((host) => (host.includes(".") ? host.replace(/^[^.]*\./, "") : null)),
  "7-webhook-host/ends": forDomain((host) => host.slice(1)),
  "7-webhook-host/begins": forDomain((host) => `${host}.evil.example`),
  "7-webhook-host/goes-on": forDomain((host) => (host.includes(".") ? host.replace(/\.[^.]*$/, "") : null)),
  "7-webhook-host/contains": forDomain((host) => `my-${host}-shop.example`),
  "7-webhook-host/punycode": forDomain(() => "xn--lcalhost-6xa.example"),
  "7-webhook-credentials/password": changed((webhook) => ({
    webhook: written(webhook, `shop:secret@${webhook.hostname}`),
  })),
  "7-webhook-credentials/domain": (webhook) => ({
    webhook: written(webhook, `${ELSEWHERE}@${webhook.hostname}`),
    domain: ELSEWHERE,
  }),
  "7-webhook-disguised/hexadecimal": disguisedWebhook("0x7f.1"),
  "7-webhook-disguised/number": disguisedWebhook("2130706433"),
  "7-webhook-disguised/dot": (webhook) =>
    isNumeric(webhook)
      ? null
      : { webhook: written(webhook, `${webhook.hostname}.`), domain: webhook.hostname },
  "7-webhook-disguised/percent": changed((webhook) => {
    const { hostname } = webhook;
    return { webhook: written(webhook, `%${hostname.charCodeAt(0).toString(16)}${hostname.slice(1)}`) };
  }),
  "7-expired/old": changed(() => ({ age: 60 })),
  "7-expired/fresh-ts": changed(() => ({ age: 60, ts: String(Math.floor(Date.now() / 1000)) })),
  "7-future/ahead": changed(() => ({ age: -120 })),
  "7-parameter-twice/webhook": changed(() => ({ more: [["webhook", `https://${ELSEWHERE}/`]] })),
  "7-parameter-twice/challenge": changed(({ hostname: domain }) => ({
    more: [["challenge", makeChallenge({ domain })]],
  })),
  "7-parameter-twice/session": changed(() => ({ more: [["session", "other"]] })),
  "7-no-challenge/words": noChallenge(() => "I owe you 100 coins"),
  "7-no-challenge/action": noChallenge((text) => text.replace("svc:login", "svc:pay")),
  "7-no-challenge/longer": noChallenge((text) => `${text}A`),
  "7-no-challenge/shorter": noChallenge((text) => text.slice(0, -1)),
  "7-no-challenge/prefix": noChallenge((text) => text.replace("svc:", "SVC:")),
  "7-no-challenge/capitals": noChallenge((text, domain) => text.replace(domain, domain.toUpperCase())),
  "7-no-challenge/zero": noChallenge((text) => text.replace(/:(\d+):/, ":0$1:")),
  "7-no-challenge/part": noChallenge((text) => `${text}:more`),
};

/** In the order in which the page for phones shows them. */
export const HOSTILE_CODES: readonly HostileCode[] = (Object.keys(MAKES) as Id[]).map((id) => ({
  ...{ id, make: MAKES[id] },
  ...HOSTILE_CODE_TEXTS[id],
}));

export function checkOf({ id }: Pick<HostileCode, "id">): string {
  return id.slice(0, id.indexOf("/"));
}
