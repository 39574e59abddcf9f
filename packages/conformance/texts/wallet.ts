import type { IdOf, Texts } from "../check.ts";

/** The requirements of a wallet, grouped by what they protect. */
export const WALLET_TEXTS = {
  "The wallet's response": {
    why: "Sites refuse a response of another form. Anything else in the request reveals more to the site than its user agreed to.",
    fix: "Sign the challenge's UTF-8 bytes, hashed once with SHA-256, as hex of strict DER. POST the documented fields as JSON with a client that does not send cookies or a referrer. The test vectors in docs/wallet.md cover each step.",
    checks: {
      "1.2-unknown-parameter": { requirement: "A wallet MUST ignore unknown parameters of a payload.", cause: "The wallet rejects unknown parameters, so codes of newer sites do not work." },
      "1.4-sent": { requirement: "A wallet MUST send a strict DER signature of the challenge's SHA-256 hash (hashed once) that verifies with the key in the response.", cause: "The text is hashed twice, or the signature is raw or in base64." },
      "1.5-sent": { requirement: "A wallet MUST send the documented fields with their types, as JSON.", cause: "A field has another name, or the timestamp is a string or in milliseconds." },
      "7-answers": { requirement: "A wallet MUST answer a correct code with exactly one POST to the webhook, and report success.", cause: "The command waits for input, or does not exit with 0. Start here." },
      "7-no-cookies": { requirement: "A wallet MUST NOT send cookies, credentials or a referrer with its response.", cause: "The HTTP client uses a browser's default settings." },
    },
  },
  "Asking which browser is asking (optional)": {
    why: "A user who sees which browser is asking can notice a relayed code. But a site must not be able to use this request to delay the wallet or to write on its screen.",
    fix: "GET the webhook URL with `s`, `c` and `Accept: application/json` before you sign, and wait a few seconds at most. Refuse if the site names another intent, continue if it does not answer, and show the name as plain text.",
    checks: {
      "11.1-asks": { level: "SHOULD", requirement: "A wallet that asks which browser shows the code SHOULD send its request to the webhook, with the code's own challenge, and accept only JSON.", cause: "The request has another form, or its `Accept` includes HTML, so the site answers with a page." },
      "11.1-asks-privately": { level: "SHOULD", requirement: "The request SHOULD NOT include cookies, credentials or a referrer.", cause: "The HTTP client uses a browser's default settings." },
      "11.1-asks-first": { level: "SHOULD", requirement: "A wallet SHOULD ask before it signs.", cause: "Both requests are sent together, so by the time the user sees which browser is asking, it is already signed in." },
      "11.1-untold": { level: "SHOULD", requirement: "A wallet SHOULD still answer a code if the site does not describe the browser, or describes it with invalid data.", cause: "The wallet aborts the login if this request fails, although most sites do not implement it." },
      "11.1-untold-in-time": { level: "SHOULD", requirement: "If the site does not answer this request, a wallet SHOULD continue within a few seconds.", cause: "The request has no timeout, or its timeout ends when the headers arrive." },
      "11.1-asks-nobody-else": { level: "SHOULD", requirement: "A wallet SHOULD NOT follow redirects of this request.", cause: "The HTTP client follows redirects by default, so another site learns who scans which code." },
      "11.1-intent-differs": { level: "SHOULD", requirement: "A wallet SHOULD refuse a code if the intent that the site names differs from the payload's.", cause: "The site's answer is shown but not compared, although a relay can remove or change the payload's intent." },
      "11.1-plain-name": { level: "SHOULD", requirement: "A wallet SHOULD remove control and bidirectional characters from the browser's name before it shows it.", cause: "The name is shown unchanged, although anyone who requests a code can choose it." },
    },
  },
  "Offering to undo a login (optional)": {
    why: "With undo, a user who notices a relayed login too late can still end it. If a wallet opens the URL without asking, or on another host, sites can misuse it.",
    fix: "Treat every 200 as success, regardless of its body. Offer `undo` only on the webhook's own origin, and POST to it only when the user asks for it.",
    checks: {
      "11.2-takes-any-answer": { level: "SHOULD", requirement: "A wallet SHOULD treat a 200 as success, regardless of the members in its body.", cause: "The wallet requires the optional members, does not check their types, or rejects any others." },
      "11.2-undoes-nothing": { level: "SHOULD", requirement: "A wallet SHOULD open the undo URL only when its user asks for it.", cause: "The wallet fetches the URL for a preview, or automatically when something looks wrong." },
      "11.2-undo-elsewhere": { level: "SHOULD", requirement: "A wallet SHOULD ignore an undo URL whose host or port differs from the webhook's.", cause: "The URL is used without validation, so a site can make the wallet post to any server." },
    },
  },
  "The wallet's screen": {
    why: "The domain on the wallet's own screen is the only protection against a relayed code. Anyone who can write to that screen can forge it.",
    fix: "Show the domain and the action of the challenge that you sign, before you send anything. Send the intent that you showed, null for none. Show a site's messages as plain text, without control and direction characters.",
    checks: {
      "3.6-shown-none": { level: "SHOULD", requirement: "For a code without an intent, a wallet SHOULD send `intent` as null, so that the site knows that the wallet did not show one.", cause: "The field is omitted if there is no intent, so the site cannot notice that a relay removed the intent." },
      "3.6-shown": { level: "SHOULD", requirement: "A wallet SHOULD send the intent that it showed, because a relay can remove or change it.", cause: "The response is built only from the challenge. Without the field, a site cannot refuse a code that was changed in transit." },
      "7-shows-domain": { requirement: "A wallet MUST show the domain and what is requested before it sends anything.", cause: "The confirmation does not show the domain, the only protection against a relayed code." },
      "7-says-why": { level: "SHOULD", requirement: "If a response is refused, a wallet SHOULD show the site's message.", cause: "The wallet does not read the body of the answer, so the user does not learn what to do." },
      "7-plain-text": { requirement: "A wallet MUST remove control and bidirectional characters from a site's messages before it shows them.", cause: "The message is sent to the terminal or the page unchanged, so a site can rewrite what the wallet shows." },
    },
  },
  "Sites cannot link their users": {
    why: "If a wallet uses one key or one device identifier for all sites, the sites can combine their data. A key that another wallet cannot derive again is lost with the phone.",
    fix: "Derive the key from the phrase and `svc://` with the domain, as docs/wallet.md describes. Derive `device_id` from the domain too, or omit it.",
    checks: {
      "7-one-key-per-domain": { requirement: "A wallet MUST use the same key for the same domain, and a different key for each domain.", cause: "The wallet uses one key for all domains, so sites can link their users, or it creates a new key each time." },
      "7-device-per-domain": { level: "SHOULD", requirement: "`device_info.device_id` SHOULD differ for every domain, or be absent.", cause: "The identifier belongs to the phone or to the installation." },
      "7-derivation": { level: "SHOULD", requirement: "A wallet SHOULD derive the documented key from the phrase of the test vectors, so that every wallet derives the same key.", cause: "The wallet uses another path or account, or the domain without `svc://`." },
    },
  },
  "Where the response goes": {
    why: "Anyone who has the response can log in with it. If it goes to another host, or is sent unencrypted, someone else can use it first.",
    fix: "Parse the webhook once with a URL parser, refuse user info and any text that the parser changes, and require that its host equals the challenge's domain. Require https except for loopback names, and do not follow redirects.",
    checks: {
      "7-webhook-host": { requirement: "A wallet MUST refuse a webhook whose host differs from the challenge's domain, and MUST NOT send anything to it.", cause: "Hosts are compared only in part, for example only the end of the name, or not at all." },
      "7-webhook-credentials": { requirement: "A wallet MUST refuse a webhook with a user name or password.", cause: "The wallet takes the text between `//` and the next slash as the host, instead of using a URL parser." },
      "7-webhook-disguised": { requirement: "A wallet MUST refuse a webhook whose host is written in a disguised form, such as a number or with percent-encoding.", cause: "The URL parser converts the host to a different text than the one that the wallet shows." },
      "7-webhook-https": { requirement: "A wallet MUST refuse a webhook over http, except on its own machine.", cause: "The scheme is not checked, so the response is sent unencrypted." },
      "7-redirect": { requirement: "A wallet MUST NOT follow redirects or treat them as success.", cause: "The HTTP client follows redirects by default, and the wallet does not turn this off." },
    },
  },
  "Codes that every wallet refuses": {
    why: "A wallet that signs any text gives attackers signatures for any purpose. An old challenge, or a payload with a repeated parameter, probably comes from an attacker.",
    fix: "Match the whole challenge with the grammar in section 1.1 of the protocol, and compare its time with the site's clock, or with your own if the site does not report one. Refuse a repeated parameter, and an action that the user did not ask for.",
    checks: {
      "7-expired": { requirement: "A wallet MUST refuse a challenge that is older than 30 seconds.", cause: "The wallet does not compare the timestamp with its clock, or compares `ts`, which is not signed." },
      "7-future": { requirement: "A wallet MUST refuse a challenge whose timestamp is more than 30 seconds in the future.", cause: "Only the age is compared, and a negative age counts as recent." },
      "7-parameter-twice": { requirement: "A wallet MUST refuse a payload with a repeated parameter.", cause: "The wallet shows one of the values and uses the other." },
      "7-no-challenge": { requirement: "A wallet MUST sign only challenges and refuse every other text.", cause: "The wallet signs any text, so a site can get a signature for any purpose." },
      "7-wrong-action": { requirement: "A wallet MUST refuse a register code if the user wants to log in, and a login code if the user wants to register.", cause: "The action is shown, but not compared with what the user wants." },
    },
  },
  "When a wallet tries again": {
    why: "Without retries, a lost answer means a lost login. But wallets that retry forever can keep a site down, and a new signature can be counted twice.",
    fix: "Store the bytes and send them again after a 5xx or a lost connection, with growing pauses, until the challenge is 30 seconds old. A 4xx is final, and only 200 is success.",
    checks: {
      "7-only-200": { requirement: "A wallet MUST treat only 200 as success.", cause: "Any 2xx, or any answer at all, counts as success.", fix: "Report success for a 200 and for no other status." },
      "7-tries-again": { requirement: "A wallet MUST send the same bytes again after a 5xx or a lost connection.", cause: "The first failure ends the attempt, or the response is signed again." },
      "7-pauses-grow": { level: "SHOULD", requirement: "A wallet SHOULD increase the pause before each further attempt.", cause: "The pause is constant, so many wallets together can keep a site down." },
      "7-final": { requirement: "A wallet MUST NOT retry after a 4xx.", cause: "Every failure is retried." },
      "7-not-after": { requirement: "A wallet MUST retry only while the challenge is valid.", cause: "The wallet makes a fixed number of attempts, even after the challenge has expired." },
      "7-patient": { requirement: "A wallet MUST wait for an answer that takes five seconds, and MUST NOT send its response again in the meantime.", cause: "The request times out too early and is sent again while the site still processes the first one." },
    },
  },
  "Which domains can name a host": {
    why: "A delegation lets another host receive the response. If the file is parsed leniently, anyone can name their own host.",
    fix: "Fetch the file only if everything else about the code is right, over https, without cookies and redirects, within three seconds and 8 KB. Parse it strictly, cache it as long as it says, and refuse if in doubt.",
    checks: {
      "9.1-file": { requirement: "A wallet MUST accept a delegation only with the exact status, content type, size and JSON that the protocol requires, with each name once.", cause: "The answer is parsed as JSON, but its status, type and length are not checked." },
      "9.1-domain": { requirement: "A wallet MUST NOT accept a delegation file without a `domain` or with another domain.", cause: "Only `webhook_hosts` is read, so a file that was copied, or is served for every host, is accepted." },
      "9.1-hosts": { requirement: "A wallet MUST accept only an exact host name from a list of one to five: wildcards, ports, upper case and parent domains do not match.", cause: "Hosts are compared only in part or without regard to case, or the list is not validated." },
      "9.2-answers": { level: "SHOULD", requirement: "A wallet SHOULD answer at the host that the domain names.", cause: "The wallet ignores the file, or fetches it from another path." },
      "9.2-redirect": { requirement: "A wallet MUST NOT follow a redirect when it fetches the file.", cause: "The HTTP client follows redirects by default." },
      "9.2-in-time": { requirement: "A wallet MUST wait at most three seconds for the file.", cause: "The request has no timeout, so a site can delay the user until the code has expired." },
      "9.2-kept": { level: "SHOULD", requirement: "A wallet SHOULD cache a domain's answer, including a failure, for at least five minutes, and not fetch the file again for the next code.", cause: "There is no cache, or the wallet follows `Cache-Control` literally, so a site learns about each login twice." },
      "9.2-no-cookies": { requirement: "A wallet MUST fetch the file without cookies, credentials or a referrer.", cause: "The HTTP client uses a browser's default settings." },
      "9.2-not-before": { requirement: "A wallet MUST NOT fetch the file for a code that it refuses for another reason.", cause: "The file is fetched first, so a site learns who scans a code that is refused anyway." },
      "9.2-https": { requirement: "A wallet MUST use https for a domain that it reaches over a network.", cause: "The http exception for localhost is applied to every name." },
    },
  },
} as const satisfies Texts;

export type WalletId = IdOf<typeof WALLET_TEXTS>;
