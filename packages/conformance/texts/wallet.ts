import type { IdOf, Texts } from "../check.ts";

export const WALLET_TEXTS = {
  "The wallet's response": {
    why: "Sites refuse a response in any other format. Any other data in the request reveals more to the site than the user agreed to.",
    fix: "Hash the challenge's UTF-8 bytes once with SHA-256, sign the hash, and encode the signature as strict DER in hex. Post the documented fields as JSON, with an HTTP client that does not send cookies or a referrer. The test vectors in docs/wallet.md cover each step.",
    checks: {
      "1.2-unknown-parameter": { requirement: "A wallet MUST ignore unknown parameters in a payload.", cause: "The wallet rejects unknown parameters, so codes from newer sites do not work." },
      "1.4-sent": { requirement: "A wallet MUST send a strict DER signature over the challenge's SHA-256 hash (hashed only once). The signature MUST verify with the key in the response.", cause: "The wallet hashes the text twice, or sends the signature as raw bytes or in base64." },
      "1.5-sent": { requirement: "A wallet MUST send the documented fields with their types, as JSON.", cause: "A field has a different name, or the timestamp is a string or in milliseconds." },
      "7-answers": { requirement: "For a correct code, a wallet MUST send exactly one POST to the webhook, and report success.", cause: "The command waits for input, or does not exit with status 0. Fix this first." },
      "7-no-cookies": { requirement: "A wallet MUST NOT send cookies, credentials or a referrer with its response.", cause: "The HTTP client uses a browser's default settings." },
    },
  },
  "Asking which browser requested the code (optional)": {
    why: "If users see which browser requested the code, they can notice a relayed code. But a site must not be able to use the wallet's request to delay the wallet or to control its screen.",
    fix: "Before you sign, send a GET to the webhook URL with `s`, `c` and `Accept: application/json`, and wait at most a few seconds. If the site reports a different intent, refuse the code. If the site does not respond, continue. Show the browser's name as plain text.",
    checks: {
      "11.1-asks": {
        level: "SHOULD",
        requirement: "A wallet that asks the site which browser is showing the code SHOULD send this request to the webhook, include the code's own challenge, and accept only JSON.",
        cause: "The request has the wrong format, or its `Accept` header includes HTML, so the site returns a page.",
      },
      "11.1-asks-privately": { level: "SHOULD", requirement: "A wallet that asks which browser is showing the code SHOULD NOT send cookies, credentials or a referrer with this request.", cause: "The HTTP client uses a browser's default settings." },
      "11.1-asks-first": { level: "SHOULD", requirement: "Before it signs, a wallet SHOULD ask which browser is showing the code.", cause: "The wallet sends this request together with its response, so the browser is already signed in when the wallet shows the user which browser it is." },
      "11.1-untold": { level: "SHOULD", requirement: "A wallet SHOULD still answer a code if the site does not describe the browser, or describes it with invalid data.", cause: "The wallet cancels the login if it cannot find out which browser is showing the code, although most sites do not support such requests." },
      "11.1-untold-in-time": { level: "SHOULD", requirement: "If a site does not respond when a wallet asks which browser is showing the code, the wallet SHOULD continue within a few seconds.", cause: "The request does not have a timeout, or the timeout covers only the headers and not the body." },
      "11.1-asks-nobody-else": { level: "SHOULD", requirement: "A wallet SHOULD NOT follow a redirect when it asks which browser is showing the code.", cause: "The HTTP client follows redirects by default, so a different site can find out who scans which code." },
      "11.1-intent-differs": { level: "SHOULD", requirement: "A wallet SHOULD refuse a code if the intent that the site reports differs from the intent in the payload.", cause: "The wallet shows the site's intent but does not compare it with the payload's, which a relay can remove or change." },
      "11.1-plain-name": { level: "SHOULD", requirement: "A wallet SHOULD remove control characters and bidirectional formatting characters from the browser's name before showing it.", cause: "The wallet shows the name unchanged, although anyone who requests a code can choose this name." },
    },
  },
  "Offering to undo a login (optional)": {
    why: "With undo, users who notice a relayed login too late can still end this login. But sites can misuse undo if a wallet requests the URL without asking its user, or if the URL is on a different host.",
    fix: "Treat every 200 as success, regardless of its body. Offer undo only if the `undo` URL is on the webhook's own origin, and post to this URL only when the user asks for it.",
    checks: {
      "11.2-takes-any-answer": { level: "SHOULD", requirement: "A wallet SHOULD treat a 200 as success, regardless of the members in its body.", cause: "The wallet requires the optional members, does not check their types, or rejects unknown members." },
      "11.2-undoes-nothing": { level: "SHOULD", requirement: "A wallet SHOULD NOT request the undo URL unless its user asks for it.", cause: "The wallet requests the URL for a preview, or automatically when a login looks suspicious." },
      "11.2-undo-elsewhere": { level: "SHOULD", requirement: "A wallet SHOULD ignore an undo URL whose host or port differs from the webhook's.", cause: "The wallet uses the URL without validating it, so a site can make the wallet post to any server." },
    },
  },
  "The wallet's screen": {
    why: "The domain on the wallet's own screen is the only protection against a code from a fake site. If a site can control this screen, it can forge the domain. To protect users against a relayed code, the wallet has to show which browser requested it.",
    fix: "Before you send the response, show the domain and the action of the challenge that you sign. Send the intent that you showed, or null if you did not show one. Show a site's messages as plain text, without control characters and bidirectional formatting characters.",
    checks: {
      "3.6-shown-none": { level: "SHOULD", requirement: "If a code has no intent, a wallet SHOULD send `intent` as null, so that the site knows that the wallet did not show an intent.", cause: "The wallet omits the field if there is no intent, so the site cannot notice that a relay removed the intent." },
      "3.6-shown": { level: "SHOULD", requirement: "A wallet SHOULD send the intent that it showed, because a relay can remove or change the intent of a code.", cause: "The wallet creates the response only from the challenge. Without the field, a site cannot refuse a response to a changed code." },
      "7-shows-domain": { requirement: "A wallet MUST show the domain and the requested action before it sends its response.", cause: "The confirmation does not show the domain, which is the only protection against a code from a fake site." },
      "7-says-why": { level: "SHOULD", requirement: "If a site refuses a response, the wallet SHOULD show the site's message.", cause: "The wallet does not read the body of the site's response, so the user does not know what to do." },
      "7-plain-text": { requirement: "A wallet MUST remove control characters and bidirectional formatting characters from a site's messages before showing them.", cause: "The wallet writes the message to the terminal or the page unchanged, so a site can change what the wallet shows." },
    },
  },
  "Sites cannot link their users": {
    why: "If a wallet uses one key or one device identifier for all sites, the sites can combine their data about a user. If other wallets cannot derive the same key, the key is lost together with the phone.",
    fix: "Derive the key from the seed phrase and from `svc://` followed by the domain, as docs/wallet.md describes. Derive `device_id` from the domain too, or omit it.",
    checks: {
      "7-one-key-per-domain": { requirement: "A wallet MUST use a different key for each domain, and always the same key for one domain.", cause: "The wallet uses one key for all domains, so sites can link their users, or it creates a new key each time." },
      "7-device-per-domain": { level: "SHOULD", requirement: "`device_info.device_id` SHOULD be different for every domain, or absent.", cause: "The wallet uses an identifier of the phone or of the installation." },
      "7-derivation": { level: "SHOULD", requirement: "A wallet SHOULD derive the documented key from the seed phrase of the test vectors, so that every wallet derives the same key.", cause: "The wallet uses a different derivation path or a different account, or the domain without `svc://`." },
    },
  },
  "Where the response goes": {
    why: "Anyone who has the response can sign in with it. If a wallet sends the response to the wrong host or without encryption, an attacker can use the response first.",
    fix: "Parse the webhook once with a URL parser. Refuse a URL with user info, and a URL whose text the parser changes. Check that the host equals the challenge's domain. Require HTTPS except for loopback names, and do not follow redirects.",
    checks: {
      "7-webhook-host": { requirement: "A wallet MUST refuse a webhook whose host differs from the challenge's domain, and MUST NOT send any request to this host.", cause: "The wallet compares only part of the host names, for example the ends, or does not compare them at all." },
      "7-webhook-credentials": { requirement: "A wallet MUST refuse a webhook with a user name or password.", cause: "The wallet uses the text between `//` and the next slash as the host, instead of using a URL parser." },
      "7-webhook-disguised": { requirement: "A wallet MUST refuse a webhook whose host is written in a disguised form, such as a number or percent-encoded text.", cause: "The URL parser converts the host, so the wallet connects to a host that differs from the text on its screen." },
      "7-webhook-https": { requirement: "A wallet MUST refuse a webhook with an HTTP URL, unless the host is the wallet's own machine.", cause: "The wallet does not check the scheme, so it sends the response without encryption." },
      "7-redirect": { requirement: "A wallet MUST NOT follow redirects or treat them as success.", cause: "The HTTP client follows redirects by default, and the wallet does not disable this behaviour." },
    },
  },
  "Codes that every wallet refuses": {
    why: "If a wallet signs any text, attackers can get signatures for any purpose. An old challenge, or a payload with a repeated parameter, probably comes from an attacker.",
    fix: "Match the whole challenge with the grammar in section 1.1 of the protocol. Compare its time with the site's clock, or with the device's clock if the site does not report the time. Refuse a payload with a repeated parameter, and an action that the user did not ask for.",
    checks: {
      "7-expired": { requirement: "A wallet MUST refuse a challenge that is older than 30 seconds.", cause: "The wallet does not compare the timestamp with its clock, or compares `ts`, which is not signed." },
      "7-future": { requirement: "A wallet MUST refuse a challenge whose timestamp is more than 30 seconds in the future.", cause: "The wallet checks only whether the challenge is too old, so a negative age counts as recent." },
      "7-parameter-twice": { requirement: "A wallet MUST refuse a payload with a repeated parameter.", cause: "The wallet shows one of the two values and uses the other value." },
      "7-no-challenge": { requirement: "A wallet MUST sign only challenges and refuse any other text.", cause: "The wallet signs any text, so a site can get a signature for any purpose." },
      "7-wrong-action": { requirement: "A wallet MUST refuse a register code if the user wants to log in, and a login code if the user wants to register.", cause: "The wallet shows the action, but does not compare it with the action that the user wants." },
    },
  },
  "When a wallet tries again": {
    why: "If a wallet does not retry, users cannot sign in when a response is lost. But if wallets retry forever, they can overload a site that is recovering from a failure.",
    fix: "Store the bytes of the response. After a 5xx or a lost connection, send the same bytes again, at increasing intervals, until the challenge is 30 seconds old. Do not retry after a 4xx, and treat only 200 as success.",
    checks: {
      "7-only-200": { requirement: "A wallet MUST treat only 200 as success.", cause: "The wallet treats any 2xx, or any response at all, as success.", fix: "Report success only for a 200." },
      "7-tries-again": { requirement: "A wallet MUST send the same bytes again after a 5xx or a lost connection.", cause: "The wallet gives up after the first failure, or signs the challenge again." },
      "7-pauses-grow": { level: "SHOULD", requirement: "A wallet SHOULD increase the pause before each further attempt.", cause: "The pause between attempts does not increase, so many wallets together can overload a site." },
      "7-final": { requirement: "A wallet MUST NOT retry after a 4xx.", cause: "The wallet retries after every failure." },
      "7-not-after": { requirement: "A wallet MUST retry only while the challenge is valid.", cause: "The wallet makes a fixed number of attempts, even after the challenge has expired." },
      "7-patient": { requirement: "If a site takes five seconds to reply, a wallet MUST wait, and MUST NOT send its response again in the meantime.", cause: "The request times out too early, so the wallet sends the response again while the site is still processing the first request." },
    },
  },
  "Which domains can name a host": {
    why: "A delegation allows a host other than the domain to receive the response. If a wallet's parser is too lenient, attackers may be able to name their own host.",
    fix: "Fetch the file only if the code passes all other checks. Use HTTPS, do not send cookies, do not follow redirects, and stop after three seconds or 8 KB. Parse the file strictly, and cache it for as long as its `Cache-Control` header specifies. If anything is wrong with the file, refuse the code.",
    checks: {
      "9.1-file": { requirement: "A wallet MUST NOT accept a delegation file unless its status, content type, size and JSON are exactly as the protocol requires, and no object contains a name twice.", cause: "The wallet parses the HTTP response as JSON, but does not check its status, content type and length." },
      "9.1-domain": { requirement: "A wallet MUST NOT accept a delegation file if its `domain` is missing or names a different domain.", cause: "The wallet reads only `webhook_hosts`, so it accepts a file that was copied from a different domain, or that a server returns for every host." },
      "9.1-hosts": {
        requirement: "A wallet MUST NOT accept a host unless the delegation file lists the host's exact name. The list MUST have one to five names. Wildcards, ports, upper case and parent domains MUST NOT match.",
        cause: "The wallet compares only part of the name, ignores letter case, or does not validate the list.",
      },
      "9.2-answers": { level: "SHOULD", requirement: "A wallet SHOULD send its response to the webhook's host if the domain's delegation file lists this host.", cause: "The wallet ignores the file, or fetches it from the wrong path." },
      "9.2-redirect": { requirement: "A wallet MUST NOT follow a redirect when it fetches a delegation file.", cause: "The HTTP client follows redirects by default." },
      "9.2-in-time": { requirement: "A wallet MUST wait at most three seconds for a delegation file.", cause: "The request has no timeout, so a site can keep the user waiting until the code has expired." },
      "9.2-kept": {
        level: "SHOULD",
        requirement: "A wallet SHOULD cache a domain's delegation file, or the failure to fetch it, for at least five minutes. During this time, the wallet SHOULD NOT fetch the file again for other codes.",
        cause: "The wallet does not cache the file, or follows `Cache-Control` literally and requests the file at every login.",
      },
      "9.2-no-cookies": { requirement: "A wallet MUST fetch a delegation file without cookies, credentials or a referrer.", cause: "The HTTP client uses a browser's default settings." },
      "9.2-not-before": { requirement: "A wallet MUST NOT fetch a delegation file for a code that it refuses for any other reason.", cause: "The wallet fetches the file first, so a site can find out who scans a code that the wallet refuses anyway." },
      "9.2-https": { requirement: "A wallet MUST use HTTPS to fetch a delegation file from a domain that it reaches over a network.", cause: "The wallet allows HTTP not only for localhost but for every name." },
    },
  },
} as const satisfies Texts;

export type WalletId = IdOf<typeof WALLET_TEXTS>;
