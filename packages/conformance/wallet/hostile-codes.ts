import { type CodeParts, makeChallenge } from "./code.ts";

/**
 * The codes that every wallet refuses, as data: the command hands them to a wallet that runs here, a page shows them
 * to a wallet on a phone. The response to each would reach the site that shows the code, so its absence is visible.
 */
export type HostileCode = {
  /** The id of its check, and its own name behind a slash. It never changes. */
  id: `${string}/${string}`;
  /** What it is, as a failure names it. */
  what: string;
  /** What is wrong with it, for the person who holds the wallet. */
  wrong: string;
  /**
   * @param webhook where answers arrive
   * @returns null if this webhook cannot have such a code
   */
  make(webhook: URL): CodeParts | null;
  /** One more of its kind, worth running a command, but not a scan by hand. */
  commandOnly?: true;
};

/** A reserved name (RFC 2606), so that no delegation file there can permit a response. */
const ELSEWHERE = "shop.example";

const honest = (webhook: URL): CodeParts => ({ webhook: webhook.href, domain: webhook.hostname });

/** The webhook with exactly this text as its host; a URL's own setter would normalise it. */
const written = ({ protocol, port, pathname }: URL, host: string) =>
  `${protocol}//${host}${port && `:${port}`}${pathname}`;

const isNumeric = ({ hostname }: URL) => /^[\d.]+$/.test(hostname);
const isThisMachine = ({ hostname }: URL) => hostname === "localhost" || hostname === "127.0.0.1";

function forDomain(
  name: string,
  what: string,
  wrong: string,
  domainOf: (host: string) => string | null,
): HostileCode {
  return {
    ...{ id: `7-webhook-host/${name}`, what, wrong },
    make(webhook) {
      const domain = domainOf(webhook.hostname);
      return domain === null ? null : { webhook: webhook.href, domain };
    },
  };
}

function noChallenge(
  name: string,
  what: string,
  change: (challenge: string, domain: string) => string,
): HostileCode {
  return {
    id: `7-no-challenge/${name}`,
    what,
    wrong: "The text to sign is not a challenge, although it may look like one.",
    make(webhook) {
      const domain = webhook.hostname;
      const challenge = change(makeChallenge({ domain }), domain);
      return { webhook: webhook.href, challenge, ts: challenge.split(":")[3] ?? "1" };
    },
  };
}

const commandOnly = (code: HostileCode): HostileCode => ({ ...code, commandOnly: true });

export const HOSTILE_CODES: readonly HostileCode[] = [
  forDomain(
    "another",
    "another domain",
    "It asks to sign in to one site and sends the answer to another.",
    () => ELSEWHERE,
  ),
  commandOnly(
    forDomain(
      "other-name",
      "the other name of this machine",
      "localhost and 127.0.0.1 are two names.",
      (host) => (host === "127.0.0.1" ? "localhost" : null),
    ),
  ),
  forDomain(
    "parent",
    "a parent domain",
    "It asks to sign in to a domain and sends the answer to a host below it.",
    (host) => (host.includes(".") ? host.replace(/^[^.]*\./, "") : null),
  ),
  forDomain(
    "ends",
    "a domain that the host ends with",
    "The host's name ends with the domain, and is another name.",
    (host) => host.slice(1),
  ),
  forDomain(
    "begins",
    "a domain that begins with the host",
    "The domain begins with the host's name, and belongs to somebody else.",
    (host) => `${host}.evil.example`,
  ),
  forDomain(
    "goes-on",
    "a domain that the host begins with",
    "The host's name begins with the domain, and belongs to somebody else.",
    (host) => (host.includes(".") ? host.replace(/\.[^.]*$/, "") : null),
  ),
  forDomain(
    "contains",
    "a domain that contains the host",
    "The domain contains the host's name, and belongs to somebody else.",
    (host) => `my-${host}-shop.example`,
  ),
  forDomain(
    "punycode",
    "a name in punycode",
    "In the letters of another alphabet the domain looks like a known one.",
    () => "xn--lcalhost-6xa.example",
  ),
  {
    id: "7-webhook-credentials/password",
    what: "a password in the webhook",
    wrong: "The address of the answer holds a user name and a password.",
    make: (webhook) => ({ ...honest(webhook), webhook: written(webhook, `shop:secret@${webhook.hostname}`) }),
  },
  {
    id: "7-webhook-credentials/domain",
    what: "a domain as the webhook's user name",
    wrong: "The address of the answer begins with the domain, as a user name: the host comes behind it.",
    make: (webhook) => ({
      webhook: written(webhook, `${ELSEWHERE}@${webhook.hostname}`),
      domain: ELSEWHERE,
    }),
  },
  commandOnly({
    id: "7-webhook-disguised/hexadecimal",
    what: "a hexadecimal address",
    wrong: "The host is an address in hexadecimal digits.",
    make: (webhook) =>
      isThisMachine(webhook) ? { webhook: written(webhook, "0x7f.1"), domain: "127.0.0.1" } : null,
  }),
  commandOnly({
    id: "7-webhook-disguised/number",
    what: "an address as one number",
    wrong: "The host is an address, written as one number.",
    make: (webhook) =>
      isThisMachine(webhook) ? { webhook: written(webhook, "2130706433"), domain: "127.0.0.1" } : null,
  }),
  {
    id: "7-webhook-disguised/dot",
    what: "a dot after the host",
    wrong: "The host ends with a dot: the same host, and another text than the domain.",
    make: (webhook) =>
      isNumeric(webhook) ? null : { ...honest(webhook), webhook: written(webhook, `${webhook.hostname}.`) },
  },
  {
    id: "7-webhook-disguised/percent",
    what: "a percent-encoded host",
    wrong:
      "The host's first letter is percent-encoded: the text that is shown is not the host that is dialled.",
    make(webhook) {
      const [first = "", rest = ""] = [webhook.hostname.slice(0, 1), webhook.hostname.slice(1)];
      const encoded = `%${first.charCodeAt(0).toString(16)}${rest}`;
      return { ...honest(webhook), webhook: written(webhook, encoded) };
    },
  },
  {
    id: "7-expired/old",
    what: "a challenge a minute old",
    wrong: "The challenge is a minute old. It lived for thirty seconds.",
    make: (webhook) => ({ ...honest(webhook), age: 60 }),
  },
  {
    id: "7-expired/fresh-ts",
    what: "an old challenge with a fresh ts",
    wrong:
      "The challenge is a minute old. The code's ts parameter, which is not signed, says that it is fresh.",
    make: (webhook) => ({ ...honest(webhook), age: 60, ts: String(Math.floor(Date.now() / 1000)) }),
  },
  {
    id: "7-future/ahead",
    what: "a challenge from the future",
    wrong: "The challenge's time is two minutes in the future.",
    make: (webhook) => ({ ...honest(webhook), age: -120 }),
  },
  {
    id: "7-parameter-twice/webhook",
    what: "two webhooks",
    wrong: "It names two addresses for the answer. One may be shown, and the other used.",
    make: (webhook) => ({ ...honest(webhook), more: [["webhook", `https://${ELSEWHERE}/`]] }),
  },
  {
    id: "7-parameter-twice/challenge",
    what: "two challenges",
    wrong: "It holds two challenges. One may be shown, and the other signed.",
    make: (webhook) => ({
      ...honest(webhook),
      more: [["challenge", makeChallenge({ domain: webhook.hostname })]],
    }),
  },
  commandOnly({
    id: "7-parameter-twice/session",
    what: "two sessions",
    wrong: "It names two sessions.",
    make: (webhook) => ({ ...honest(webhook), more: [["session", "other"]] }),
  }),
  noChallenge("words", "words instead of a challenge", () => "I owe you 100 coins"),
  noChallenge("action", "another action", (text) => text.replace("svc:login", "svc:pay")),
  ...[
    noChallenge("longer", "a letter too many", (text) => `${text}A`),
    noChallenge("shorter", "a letter too few", (text) => text.slice(0, -1)),
    noChallenge("prefix", "another prefix", (text) => text.replace("svc:", "SVC:")),
    noChallenge("capitals", "a domain in capitals", (text, domain) =>
      text.replace(domain, domain.toUpperCase()),
    ),
    noChallenge("zero", "a time with a leading zero", (text) => text.replace(/:(\d+):/, ":0$1:")),
    noChallenge("part", "a part too many", (text) => `${text}:more`),
  ].map(commandOnly),
];

/** The id of the check that a code belongs to. */
export function checkOf({ id }: Pick<HostileCode, "id">): string {
  return id.slice(0, id.indexOf("/"));
}
