import { type Check, checksOf, type Families } from "../check.ts";
import { ASKING_BROWSER_CHECKS } from "./asking-browser.ts";
import { DELEGATION_CHECKS } from "./delegations.ts";
import { OUTCOME_CHECKS, RETRY_CHECKS } from "./outcomes.ts";
import { REFUSED_CODE_CHECKS, WEBHOOK_CHECKS } from "./refused-codes.ts";
import { SENT_ANSWER_CHECKS } from "./sent-answers.ts";
import type { Trial } from "./trial.ts";

/** The checks of a wallet, by what they guard. */
export const FAMILIES_OF_WALLET: Families = {
  "What a wallet sends": {
    of: ["7-answers", "1.5-sent", "1.4-sent", "1.2-unknown", "7-no-cookies"],
    why: "A response of another form is refused everywhere, and what comes along with it tells the site more than its user agreed to.",
    mend: "Sign the challenge's UTF-8 bytes once over SHA-256, as hex of strict DER, and POST the documented fields as JSON by a client without cookies and referrer. The test vectors of docs/wallet.md show each step.",
  },
  "What a wallet shows": {
    of: ["7-shows", "3.6-shown", "7-says-why", "7-plain-text"],
    why: "The domain on the wallet's own screen is all that protects against a code that somebody else relays. Whoever can write to that screen can forge it.",
    mend: "Show domain and action from the challenge that you sign, before you send. Send the intent that you showed, null for none. Show a site's words as plain text, without control and direction characters.",
  },
  "Sites cannot recognise each other's users": {
    of: ["7-one-key", "7-derivation", "7-device"],
    why: "One key, or one device identifier, for all sites lets them put their data together. A key that another wallet cannot derive again is lost with the phone.",
    mend: "Derive the key from the phrase and `svc://` with the domain, as docs/wallet.md says. Make `device_id` from the domain too, or leave it out.",
  },
  "Where the answer goes": {
    of: ["7-webhook", "7-redirect"],
    why: "The answer is the login. On another host, or in clear text, somebody else uses it first.",
    mend: "Parse the webhook once with a URL parser, refuse user info and every text that the parser changed, and compare its host with the challenge's domain by `===`. Require https except for loopback names, and follow no redirect.",
  },
  "Which domains may name a host": {
    of: ["9."],
    why: "A delegation lets another host receive the answer. A file that is read loosely lets anybody name themselves.",
    mend: "Fetch it only where everything else is right, over https, without cookies and redirects, within three seconds and 8 KB. Read it strictly, keep it as long as it says, and refuse on any doubt.",
  },
  "Codes that every wallet refuses": {
    of: ["7-expired", "7-future", "7-parameter", "7-no-challenge", "7-wrong-action"],
    why: "A wallet that signs any text signs anything for anybody. An old or doubled challenge is one that was shown to somebody else.",
    mend: "Match the whole challenge with the pattern of section 1.1 of the protocol, and its time with your own clock. Refuse a parameter that comes twice, and an action that its user did not ask for.",
  },
  "When a wallet tries again": {
    of: ["7-only-200", "7-tries-again", "7-pauses", "7-final", "7-not-after", "7-patient"],
    why: "A lost answer would be a lost login. But wallets that repeat without an end keep a site down, and a new signature may count twice.",
    mend: "Keep the bytes, and send them again after a 5xx or a lost connection, with growing pauses, until the challenge is 30 seconds old. A 4xx is final, and only 200 is success.",
  },
  "Asking who is asking (optional)": {
    of: ["11.1-asks", "11.1-untold", "11.1-intent-differs", "11.1-plain-name"],
    level: "SHOULD",
    why: "A user who sees which browser asks notices a code that somebody else relays. The question must not become a way to hold the wallet up, or to write on its screen.",
    mend: "GET the webhook's address with `s`, `c` and `Accept: application/json` before you sign, for a few seconds at most. Refuse where the site names another intent, go on where it says nothing, and show the name as plain text.",
  },
  "Offering to take a login back (optional)": {
    of: ["11.2-takes", "11.2-undoes", "11.2-undo-elsewhere"],
    level: "SHOULD",
    why: "It ends a relayed login a moment too late. An address that is opened without a word, or on another host, is a weapon for the site.",
    mend: "Treat every 200 as success, whatever is in it. Offer `undo` only on the webhook's own origin, and POST to it only when its user says so.",
  },
};

/** Every check of a wallet, in the order in which a wallet works. */
export const WALLET_CHECKS: readonly Check<Trial>[] = checksOf(
  FAMILIES_OF_WALLET,
  SENT_ANSWER_CHECKS,
  WEBHOOK_CHECKS,
  DELEGATION_CHECKS,
  REFUSED_CODE_CHECKS,
  OUTCOME_CHECKS,
  RETRY_CHECKS,
  ASKING_BROWSER_CHECKS,
);
