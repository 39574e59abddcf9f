import { type Check, checksOf, type Families } from "../check.ts";
import { FAST_ADDRESS_CHECKS } from "./addresses.ts";
import { FAST_BODY_CHECKS } from "./bodies.ts";
import { FAST_CHALLENGE_CHECKS, FAST_KEPT_CHECKS } from "./challenges.ts";
import { FAST_CODE_CHECKS, FAST_COOKIE_CHECKS, FAST_FORMAT_CHECKS } from "./codes.ts";
import { FAST_MESSAGE_CHECKS } from "./messages.ts";
import { FAST_RULE_CHECKS } from "./rules.ts";
import { FAST_SIGNATURE_CHECKS } from "./signatures.ts";
import { FAST_SIGN_IN_CHECKS } from "./signing-in.ts";
import type { FastSite } from "./site.ts";
import { FAST_STATUS_CHECKS } from "./status.ts";

/** The checks of a fast login, by what they guard. */
export const FAMILIES_OF_FAST_LOGIN: Families = {
  "A fast challenge succeeds once": {
    of: ["6.2-at-once", "6.2-single-use", "6.2-answered-is-final"],
    why: "Whoever records a response, or sends it twice at the same moment, signs in again, or puts another address in the user's place.",
    mend: "Let one statement find the challenge, spend it and answer its login, and only where the login is still unanswered. No row means 400 `no challenge found`. Reading first and marking later lets two through.",
  },
  "A refused fast response spends nothing": {
    of: ["6.2-refused-is-not-spent"],
    why: "The code is public. If a wrong response used it up, anybody who sees it could keep its user out.",
    mend: "Verify the signature first, and spend the challenge in the transaction that answers the login.",
  },
  "A fast challenge is found whole, in its own login": {
    of: ["6.2-challenge", "6.2-one-login-alone"],
    why: "The challenges of a login are often kept as one text. Whoever searches it with `includes` or `LIKE` accepts a part, or several at once.",
    mend: "Keep each challenge as a row or a list element of its login, and compare whole texts.",
  },
  "What a fast code carries": {
    of: ["1.6-", "6.1-answer", "6.1-new-login", "6.1-signed-in", "6.1-intent", "6.1-strange"],
    why: "The URL is what a wallet signs. One that can be guessed, or that names another origin, is signed for somebody else.",
    mend: "Build it from your configured origin and the row that was just stored, with 128 random bits in sid and challenge. Take nothing from the request's headers, and treat a sid that you do not know as none.",
  },
  "A fast challenge lives two minutes, among four": {
    of: ["6.1-refresh-keeps", "6.1-last-four", "6.1-slow"],
    why: "An old photograph must be worth nothing. And who scans while the page shows the next code must not be turned away.",
    mend: "Keep the last four challenges of a login, each with its own time of issue. Delete older ones in the statement that adds one, and look at the time in the statement that spends.",
  },
  "The browser of a fast login is bound": {
    of: ["6.1-refresh", "6.1-sid", "6.1-secret", "6.1-cookie", "6.1-answered"],
    why: "The code is public, so its sid proves nothing. The binding cookie is the only thing that tells the browser that shows the code from whoever photographed it.",
    mend: "Whoever asks for a code gets 32 random bytes in a cookie, `HttpOnly; SameSite=Lax; Path=/; Max-Age=600`, on https with `Secure` and the prefix `__Host-`. Store its SHA-256 with the login. Continue a login only where it matches, and start a new one for everybody else.",
  },
  "The message is the code's own URL": {
    of: ["6.2-message"],
    why: "People sign messages for many reasons. Whoever accepts any signed text lets the signature of a forum post sign in.",
    mend: "Require that `msg` is, to the letter, the URL that was issued: your origin and path, and the `sid`, `c` and `t` of the request. Then verify the signature over it.",
  },
  "Bitcoin signatures": {
    of: ["6.2-p2", "6.2-electrum", "6.2-signature", "6.2-header", "6.2-pubk"],
    why: "The signature is all that proves who somebody is. What is read loosely can be made by somebody else, and what is read narrowly turns common wallets away.",
    mend: "Read exactly 65 bytes of base64 and recover the key over the message's double SHA-256. Derive the address of the kind that the header byte stands for, and compare it with the one that was sent. Take BIP-137's and Electrum's header bytes.",
  },
  "Bitcoin addresses": {
    of: ["6.2-address", "6.2-one-address"],
    why: "An address is the account. Two spellings would be two users, and another network's address one that nobody meant.",
    mend: "Decode it with its checksum, check network and kind, and store one spelling. Compare the whole address, not only the hash in it.",
  },
  "How a fast response arrives": {
    of: [
      "6.2-json",
      "6.2-multipart",
      "6.2-get",
      "6.2-query",
      "6.2-body",
      "6.2-stalled",
      "6.2-words",
      "6.2-server-fault",
      "6.2-tells",
    ],
    why: "Wallets send the response in several ways, and anybody can send anything. What is not refused early breaks something further in.",
    mend: "Read form, multipart, JSON below `data`, and query in one place that bounds size and time and takes texts alone. Answer in plain text with the words of the status, and with nothing that a library said.",
  },
  "The status of a fast login": {
    of: ["6.3-"],
    why: "The page waits for the status, and anybody who photographed the code can read it too.",
    mend: "Answer with `sid` and the number `status`, 0 or 1, and nothing else. An unknown sid is 0.",
  },
  "A fast login signs its browser in": {
    of: ["6.4-"],
    why: "Without this nobody gets in, somebody gets another one's account, or the session can be stolen afterwards.",
    mend: "At `/dashboard?sid=` redeem the login, set a new session cookie (`HttpOnly`, `SameSite=Lax`, `Secure` on https), and redirect to a path of this site, with `Cache-Control: no-store`.",
  },
  "Only the bound browser is signed in by a fast login, once": {
    of: [
      "6.4-not-before",
      "6.4-stolen",
      "6.4-foreign",
      "6.4-guessed",
      "6.4-thief",
      "6.4-once",
      "6.4-signed-out",
      "6.4-strange",
    ],
    why: "`/dashboard?sid=` is a link, and whoever photographs the QR code knows the sid. If that is enough, the photograph signs them in.",
    mend: "Redeem in one statement: `UPDATE login SET redeemed_at = now() WHERE sid = $1 AND browser_hash = $2 AND address IS NOT NULL AND redeemed_at IS NULL RETURNING address`, with SHA-256 of the binding cookie as `$2`. No row signs nobody in and changes nothing. Signing out ends the browser's other logins.",
  },
  "Headers, errors and limits of a fast login": {
    of: ["6-"],
    why: "A cached answer shows one user's login to another, CORS in the wrong place opens your users' data to other sites, and without limits one machine fills the database.",
    mend: "Set the headers where all answers pass, refusals too: `Cache-Control: no-store`, a new `X-Request-Id`, and CORS at the webhook alone. Count by the connection's address, or by a proxy's that you run.",
  },
};

/** Every check of a fast login. The burst comes first, before limits are used up. */
export const FAST_CHECKS: readonly Check<FastSite>[] = checksOf(
  FAMILIES_OF_FAST_LOGIN,
  FAST_CHALLENGE_CHECKS,
  FAST_FORMAT_CHECKS,
  FAST_CODE_CHECKS,
  FAST_KEPT_CHECKS,
  FAST_COOKIE_CHECKS,
  FAST_MESSAGE_CHECKS,
  FAST_SIGNATURE_CHECKS,
  FAST_ADDRESS_CHECKS,
  FAST_BODY_CHECKS,
  FAST_STATUS_CHECKS,
  FAST_SIGN_IN_CHECKS,
  FAST_RULE_CHECKS,
);
