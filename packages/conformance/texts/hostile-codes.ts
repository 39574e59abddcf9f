/**
 * Every wallet must refuse these codes. The key is the id of the check, followed by a name. `what` describes the code
 * in a failure message. `wrong` explains to someone who scans the code on the page for phones what is wrong with it.
 * That page shows only the codes with such an explanation.
 */
export const HOSTILE_CODE_TEXTS = {
  "7-webhook-host/another": { what: "a different domain", wrong: "The code asks you to sign in to one site, but sends the wallet's response to a different site." },
  "7-webhook-host/other-name": { what: "a different loopback host name" },
  "7-webhook-host/parent": { what: "a parent domain", wrong: "The code asks you to sign in to a domain, but sends the wallet's response to a subdomain." },
  "7-webhook-host/ends": { what: "a domain that the host ends with", wrong: "The host's name ends with the domain, but it is a different name." },
  "7-webhook-host/begins": { what: "a domain that begins with the host", wrong: "The domain begins with the host's name, but it belongs to someone else." },
  "7-webhook-host/goes-on": { what: "a domain that the host begins with", wrong: "The host's name begins with the domain, but it belongs to someone else." },
  "7-webhook-host/contains": { what: "a domain that contains the host", wrong: "The domain contains the host's name, but it belongs to someone else." },
  "7-webhook-host/punycode": { what: "a name in punycode", wrong: "The domain uses letters from a different alphabet to look like a known domain." },
  "7-webhook-credentials/password": { what: "a password in the webhook", wrong: "The URL for the response contains a user name and a password." },
  "7-webhook-credentials/domain": { what: "a domain as the webhook's user name", wrong: "The URL for the response begins with the domain, but the domain is only a user name there. The real host comes after it." },
  "7-webhook-disguised/hexadecimal": { what: "a hexadecimal IP address" },
  "7-webhook-disguised/number": { what: "an IP address written as one number" },
  "7-webhook-disguised/dot": { what: "a dot after the host", wrong: "The host ends with a dot. The wallet would connect to the same host, but the text differs from the domain." },
  "7-webhook-disguised/percent": { what: "a percent-encoded host", wrong: "The host's first letter is percent-encoded, so the text on the screen is not the host that the wallet connects to." },
  "7-expired/old": { what: "a challenge that is a minute old", wrong: "The challenge is a minute old, but it was valid for only thirty seconds." },
  "7-expired/fresh-ts": { what: "an old challenge with a fresh ts", wrong: "The challenge is a minute old. Only the code's ts parameter, which is not signed, makes it look fresh." },
  "7-future/ahead": { what: "a challenge from the future", wrong: "The challenge's time is two minutes in the future." },
  "7-parameter-twice/webhook": { what: "two webhooks", wrong: "The code contains two URLs for the response. A wallet could show one and use the other." },
  "7-parameter-twice/challenge": { what: "two challenges", wrong: "The code contains two challenges. A wallet could show one and sign the other." },
  "7-parameter-twice/session": { what: "two sessions" },
  "7-no-challenge/words": { what: "words instead of a challenge", wrong: "The text to sign is not a challenge, although it may look like one." },
  "7-no-challenge/action": { what: "an unknown action", wrong: "The text to sign is not a challenge, although it may look like one." },
  "7-no-challenge/longer": { what: "a nonce with one extra letter" },
  "7-no-challenge/shorter": { what: "a nonce with one letter missing" },
  "7-no-challenge/prefix": { what: "a different prefix" },
  "7-no-challenge/capitals": { what: "a domain in capitals" },
  "7-no-challenge/zero": { what: "a time with a leading zero" },
  "7-no-challenge/part": { what: "a challenge with an extra part" },
} as const satisfies Record<`${string}/${string}`, { what: string; wrong?: string }>;
