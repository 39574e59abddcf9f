import { type Check, checksOf, type Families } from "../check.ts";
import { ASKING_BROWSER_CHECKS } from "./asking-browser.ts";
import { BROWSER_CHECKS } from "./browsers.ts";
import { CHALLENGE_CHECKS, SPENDING_CHECKS } from "./challenges.ts";
import { CODE_ANSWER_CHECKS } from "./code-answers.ts";
import { CODE_CHECKS } from "./codes.ts";
import { HOSTILE_INPUT_CHECKS } from "./hostile-input.ts";
import { KEY_CHECKS } from "./keys.ts";
import { RESPONSE_CHECKS } from "./responses.ts";
import { ERROR_CHECKS, HEADER_CHECKS } from "./rules.ts";
import { SHOWN_INTENT_CHECKS } from "./shown-intents.ts";
import { SIGNATURE_CHECKS } from "./signatures.ts";
import { SIGN_IN_CHECKS } from "./signing-in.ts";
import type { Site } from "./site.ts";
import { STATUS_CHECKS } from "./status.ts";
import { TAKING_BACK_CHECKS } from "./taking-back.ts";

/** The checks of a login by keys, by what they guard. Other flows guard some of it alike. */
export const FAMILIES_OF_LOGIN: Families = {
  "A challenge succeeds once": {
    of: ["1.1-at-once", "1.1-single-use", "1.1-authenticated-is-final", "3.2-order-used"],
    why: "Whoever records a wallet's response, or sends it twice at the same moment, signs in a second time, or puts somebody else in the user's place.",
    mend: "Let one statement find the challenge, spend it and answer its login: `UPDATE challenge SET used_at = now() WHERE text = $1 AND used_at IS NULL AND issued_at > now() - interval '30 seconds' RETURNING login_id`, and only where that login is still pending. No row means 408. Reading first and marking later lets two through.",
  },
  "Only success spends a challenge": {
    of: ["1.1-refused-is-not-spent", "1.1-unknown-key-does-not-spend"],
    why: "The code is public. If a wrong response used it up, anybody who sees it could keep its user out.",
    mend: "Judge signature and account first, and mark the challenge as used in the transaction that authenticates the login. A refusal writes nothing to the challenge.",
  },
  "A challenge lives 30 seconds": {
    of: ["1.1-lives", "1.1-expired", "1.1-own-lifetime", "1.1-refresh-keeps"],
    why: "A photograph of the code, or a response that was held back, must be worth nothing soon after. And who approves in time must not be turned away.",
    mend: "Keep the time of issue with each challenge, by the server's clock, and put the limit into the statement that spends it: `issued_at > now() - interval '30 seconds'`. It holds for login and register alike. A new code neither ends nor prolongs the one before, and no time in a request counts.",
  },
  "A challenge is found by its exact text": {
    of: ["1.1-exact-text", "1.1-never-issued", "1.1-other", "1.1-one-login-alone"],
    why: "What a wallet signed for another site, another action or another login would sign in here.",
    mend: "Keep the whole text that was issued, with its login and action, and look it up with `=`. Never rebuild it from its parts, and trim or decode nothing.",
  },
  "What a challenge says": {
    of: ["1.1-challenge", "1.1-nonce", "1.7-sid"],
    why: "Wallets refuse a challenge of another form or domain. A nonce or sid that can be guessed can be signed or stolen in advance.",
    mend: "Write `svc:{action}:{host name of your configuration}:{Unix seconds}:{nonce}`. Take nonce and sid from `crypto.randomBytes` or `crypto.getRandomValues`, and the domain never from a request's headers.",
  },
  "What a code carries": {
    of: ["1.2-payload", "3.1-answer", "3.1-expires", "3.1-mode"],
    why: "A wallet acts on the payload and the page on the answer. A wrong address sends the user's response elsewhere, and a secret in it is readable from across the room.",
    mend: "Build `qr` with `URLSearchParams` from the row that was just stored: webhook of this origin and action, sid, challenge, and its timestamp as `ts`. Answer with `sid`, `challenge`, `qr` and `expiresAt`, and nothing else.",
  },
  "A key is a point on the curve, and one user": {
    of: ["1.3-"],
    why: "A key that is read loosely can be two users, or crash the site. One that is read narrowly turns good wallets away.",
    mend: "Accept hex of 65 bytes that begins with 04, or of 33 that begins with 02 or 03, by a pattern, before any library sees it. Let the library check the point, and store it uncompressed and in lower case. Everything else is 406.",
  },
  "A signature is strict DER over this challenge": {
    of: ["1.4-"],
    why: "The signature is all that proves who somebody is. What is read loosely can be made by somebody else.",
    mend: "Verify hex of strict DER over SHA-256 of the challenge's UTF-8 bytes, hashed once, with the key of the same body. Many libraries hash by themselves, or want low s: here any s in [1, n-1] counts. Every exception of the library is a 406.",
  },
  "The fields of a response": {
    of: ["1.5-", "2.2-unknown-fields"],
    why: "Unchecked fields become server errors or wrong data. Fields that are checked too strictly turn newer wallets away.",
    mend: "Validate the parsed body with a schema before you look anything up: the four required fields, their types and lengths. Ignore what you do not know, record `timestamp` and decide nothing by it.",
  },
  "Whose account a response opens": {
    of: ["3.2-register", "3.2-login", "3.2-same-user", "3.2-unknown-key"],
    why: "Without this nobody can use the login, or a user has two accounts, or two users one.",
    mend: 'Look the user up by the stored form of the key. Registration makes an account where there is none, and signs the user in where there is one; a login makes none: 404 `user_not_found`. Success is 200 `{"status":"authenticated"}`.',
  },
  "The order in which a response is judged": {
    of: ["3.2-order"],
    why: "In another order strangers learn which keys have accounts, or use up what a real response needs.",
    mend: "Judge content type (415), shape (400), challenge (408), key, signature and intent (406), then the account (404), and stop at the first that fails.",
  },
  Intents: {
    of: ["3.6-intent"],
    why: "An intent says that a code adds a key or approves a change. Whoever relays a code could drop it, so that the victim approves a change and believes it is a login.",
    mend: "Store the intent with the challenge. Where a response has the member `intent`, compare it with the stored one, null for none, and answer 406 `intent_mismatch`. Where it has none, judge it as ever. Issue such codes to signed-in browsers alone.",
  },
  "Errors have one shape": {
    of: ["2.1-"],
    why: "Wallets and pages act on the error's code. Stacks, SQL and paths help an attacker, and a 5xx tells users to try again what can never work.",
    mend: 'Throw one error type with a code, and turn it into `{"error":{"code","message","details":{}}}` in one place. There, everything unexpected becomes a plain `internal_error` and goes to the log.',
  },
  "Hostile input": {
    of: ["2.2-"],
    why: "Anybody can send anything. What is not refused early costs memory, breaks the database, or becomes another request than the one that was judged.",
    mend: 'Wrap all endpoints in one reader that bounds size, time, depth and number of fields, decodes UTF-8 strictly (`new TextDecoder("utf-8", { fatal: true })`), and answers with a 4xx before any other code runs.',
  },
  "What a framework answers before any handler": {
    of: ["2.2-percent-path", "2.2-odd-methods", "2.2-stalled-body"],
    level: "SHOULD",
    why: "Nobody gets in by it. But a 5xx for a broken request fills logs and wakes people up, and a body that stalls holds a connection.",
    mend: "Where the framework answers, no page, handler or middleware of the site can change it. A server in front can: nginx refuses TRACE, broken percent-encoding and stalled bodies by itself. Without one, name the check in your baseline.",
  },
  "Headers for caches, browsers and support": {
    of: ["2.3-"],
    why: "A cached answer shows one user's login to another. Wallets in browsers need CORS at the webhooks; anywhere else it opens your users' data to other sites.",
    mend: "Set the headers where all answers pass, refusals too: `Cache-Control: no-store`, a new `X-Request-Id`, and `Access-Control-Allow-Origin: *` with a preflight at the webhooks alone.",
  },
  Limits: {
    of: ["2.4-"],
    why: "Without a limit one machine fills the database, or guesses all day. Clients that are told what is left slow down by themselves.",
    mend: "Count by the client's address and window, in a store that all processes share. Take the address from the connection, or from a proxy that you run, and never from a header that the client wrote. A 429 says `Retry-After`.",
  },
  "The status of a login": {
    of: ["3.3-"],
    why: "The page waits for the status, and anybody who photographed the code can read it too. So it has to be right, and must tell nothing that lets somebody in.",
    mend: "Answer with `status` alone until a wallet was accepted, then also with `user_id` and `redirect`, a path of this site. Unknown sids are 404, a missing one is 400.",
  },
  "The event stream": {
    of: ["3.4-"],
    why: "The stream is a convenience of the page that shows the code. A stranger who may open it holds a connection for nothing.",
    mend: "Compare the binding cookie with the login's before the stream opens, and write the status as it changes. Switch off buffering in proxies.",
  },
  "A login signs its browser in": {
    of: ["3.5-sign-in", "3.5-right-user", "3.5-callback", "3.5-session"],
    why: "Without this nobody gets in, somebody gets another one's account, or the session's cookie can be stolen afterwards.",
    mend: "Take the user from the login that is redeemed, and from nothing that the request says. Give the session a random token of its own, and set its cookie `HttpOnly`, `SameSite=Lax`, and `Secure` on https; redirect to paths of this site alone.",
  },
  "A lost answer is no lost login": {
    of: ["3.5-attempt"],
    level: "SHOULD",
    why: "On a phone's network answers get lost. A page that cannot ask again shows an error to a user who did everything right.",
    mend: "Keep the page's `attempt` with the login when it is redeemed. For a minute give the same sid, cookie and attempt the same session again, and every other attempt 401. Without `attempt` nothing changes.",
  },
  "Nobody is signed in without a wallet": {
    of: ["3.5-not"],
    why: "A login that nobody has approved would open an account: the login would protect nothing.",
    mend: "Redeem a login only where its status is authenticated, in the `WHERE` of the statement that redeems it. Write its user in the transaction that accepts the response, and not before.",
  },
  "The browser is bound": {
    of: ["3.1-refresh", "4.1-"],
    why: "The QR code is public, so its sid proves nothing. The binding cookie is the only thing that tells the browser that shows the code from whoever photographed it.",
    mend: "Whoever asks for a code gets 32 random bytes in a cookie, `HttpOnly; SameSite=Lax; Path=/; Max-Age=600`, on https with `Secure` and the prefix `__Host-`. Store its SHA-256 with the login. Continue a login only for the browser whose cookie matches, and start a new one for everybody else: adopt no sid and no secret that you did not make.",
  },
  "Only the bound browser is signed in": {
    of: [
      "4.2-stolen",
      "4.2-foreign",
      "4.2-guessed",
      "4.2-dashboard",
      "3.5-attempt-of-a-stranger",
      "3.5-other-site",
    ],
    why: "Whoever photographs the QR code knows the sid. If the sid is enough, the photograph signs them in as the user who approved it.",
    mend: "In every way to sign in, compare SHA-256 of the request's binding cookie with the hash that is stored with this login, in the statement that redeems it: `… WHERE sid = $1 AND browser_hash = $2`. The cookie is the one that the answer with the code sets, 32 random bytes. No cookie, or another login's, is 401; another site's page is 403, by its `Origin` or `Sec-Fetch-Site`.",
  },
  "A login is redeemed once, for a new session": {
    of: ["4.2-once", "4.2-new-session"],
    why: "A login that can be redeemed again is a second key to the account, for whoever copies the cookies later. A session that was there before may be one that an attacker planted.",
    mend: "Redeem in one statement: `UPDATE login SET redeemed_at = now() WHERE sid = $1 AND browser_hash = $2 AND status = 'authenticated' AND redeemed_at IS NULL RETURNING user_id`. No row means 401. Then make a new random session token, whatever cookie came along.",
  },
  "Signing out": {
    of: ["4.3-"],
    why: "At a shared computer the next person would go on as the one before, with a copied token or with a login that still waits.",
    mend: "Keep sessions as rows and delete the row, not only the cookie. In the same transaction end the logins of this browser, whether answered or not, and remove the binding cookie.",
  },
  "Who is asking (optional)": {
    of: ["11.1-"],
    level: "SHOULD",
    why: "A relayed code is signed by the right wallet for the right domain. Only a user who sees which browser asked can notice that it is not theirs.",
    mend: "Answer a GET of the webhook's address that accepts JSON with `domain`, `action`, `intent`, `asked_at`, `expires_at`, `browser` and `network` of this very challenge, and 408 for every other. Change nothing and set no cookie. Section 11.1 of the protocol has the fields.",
  },
  "Taking a login back (optional)": {
    of: ["11.2-"],
    level: "SHOULD",
    why: "Who notices a moment too late that a foreign browser was signed in can end it, from the wallet.",
    mend: "Add `browser`, `new_browser` and `undo` to the 200 of the webhook. A POST to `undo`, whose secret has 128 random bits, ends the login and every session that came of it. Section 11.2 of the protocol has the rules.",
  },
};

/**
 * Every check of a site's own login. The large burst comes first, before limits are used up. It leaves few
 * registrations for the first minute, so checks that need none come next; at the end they would take a third minute.
 */
export const LOGIN_CHECKS: readonly Check<Site>[] = checksOf(
  FAMILIES_OF_LOGIN,
  SPENDING_CHECKS,
  SHOWN_INTENT_CHECKS,
  TAKING_BACK_CHECKS,
  ASKING_BROWSER_CHECKS,
  CHALLENGE_CHECKS,
  CODE_CHECKS,
  CODE_ANSWER_CHECKS,
  KEY_CHECKS,
  SIGNATURE_CHECKS,
  RESPONSE_CHECKS,
  ERROR_CHECKS,
  HOSTILE_INPUT_CHECKS,
  HEADER_CHECKS,
  STATUS_CHECKS,
  SIGN_IN_CHECKS,
  BROWSER_CHECKS,
);
