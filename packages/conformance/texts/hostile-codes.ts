/**
 * The codes that every wallet refuses, by the id of their check and a name: what each is, as a failure names it, and what
 * is wrong with it, for the person who holds the wallet. A code without the latter is for a command, and not worth a scan.
 */
export const HOSTILE_CODE_TEXTS = {
  "7-webhook-host/another": { what: "another domain", wrong: "It asks to sign in to one site and sends the answer to another." },
  "7-webhook-host/other-name": { what: "the other name of this machine" },
  "7-webhook-host/parent": { what: "a parent domain", wrong: "It asks to sign in to a domain and sends the answer to a host below it." },
  "7-webhook-host/ends": { what: "a domain that the host ends with", wrong: "The host's name ends with the domain, and is another name." },
  "7-webhook-host/begins": { what: "a domain that begins with the host", wrong: "The domain begins with the host's name, and belongs to somebody else." },
  "7-webhook-host/goes-on": { what: "a domain that the host begins with", wrong: "The host's name begins with the domain, and belongs to somebody else." },
  "7-webhook-host/contains": { what: "a domain that contains the host", wrong: "The domain contains the host's name, and belongs to somebody else." },
  "7-webhook-host/punycode": { what: "a name in punycode", wrong: "In the letters of another alphabet the domain looks like a known one." },
  "7-webhook-credentials/password": { what: "a password in the webhook", wrong: "The address of the answer holds a user name and a password." },
  "7-webhook-credentials/domain": { what: "a domain as the webhook's user name", wrong: "The address of the answer begins with the domain, as a user name: the host comes behind it." },
  "7-webhook-disguised/hexadecimal": { what: "a hexadecimal address" },
  "7-webhook-disguised/number": { what: "an address as one number" },
  "7-webhook-disguised/dot": { what: "a dot after the host", wrong: "The host ends with a dot: the same host, and another text than the domain." },
  "7-webhook-disguised/percent": { what: "a percent-encoded host", wrong: "The host's first letter is percent-encoded: the text that is shown is not the host that is dialled." },
  "7-expired/old": { what: "a challenge a minute old", wrong: "The challenge is a minute old. It lived for thirty seconds." },
  "7-expired/fresh-ts": { what: "an old challenge with a fresh ts", wrong: "The challenge is a minute old. The code's ts parameter, which is not signed, says that it is fresh." },
  "7-future/ahead": { what: "a challenge from the future", wrong: "The challenge's time is two minutes in the future." },
  "7-parameter-twice/webhook": { what: "two webhooks", wrong: "It names two addresses for the answer. One may be shown, and the other used." },
  "7-parameter-twice/challenge": { what: "two challenges", wrong: "It holds two challenges. One may be shown, and the other signed." },
  "7-parameter-twice/session": { what: "two sessions" },
  "7-no-challenge/words": { what: "words instead of a challenge", wrong: "The text to sign is not a challenge, although it may look like one." },
  "7-no-challenge/action": { what: "another action", wrong: "The text to sign is not a challenge, although it may look like one." },
  "7-no-challenge/longer": { what: "a letter too many" },
  "7-no-challenge/shorter": { what: "a letter too few" },
  "7-no-challenge/prefix": { what: "another prefix" },
  "7-no-challenge/capitals": { what: "a domain in capitals" },
  "7-no-challenge/zero": { what: "a time with a leading zero" },
  "7-no-challenge/part": { what: "a part too many" },
} as const satisfies Record<`${string}/${string}`, { what: string; wrong?: string }>;
