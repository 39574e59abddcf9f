import type { IdOf, Texts } from "../check.ts";

/** What the checks of a site's own login require, by what they protect. */
export const SITE_TEXTS = {
  "A challenge succeeds once": {
    why: "Otherwise an attacker who records a wallet's response, or sends it twice at the same moment, can sign in a second time or replace the user.",
    fix: "Use one statement that finds the challenge, marks it as used and authenticates its login, but only if the login is still pending: `UPDATE challenge SET used_at = now() WHERE text = $1 AND used_at IS NULL AND issued_at > now() - interval '30 seconds' RETURNING login_id`. If it returns no row, answer 408. If you read first and mark the challenge later, two responses can succeed.",
    svcLogin: "`@svc/login` spends challenges in one statement, so look for something between the wallet and `login.routes`: a retrying proxy, or your own handler at `app/webhook/[...path]/route.ts`.",
    checks: {
      "1.1-at-once": {
        requirement: "A site MUST accept exactly one of thirty simultaneous responses to a challenge and answer 408 to the others.",
        cause: "The challenge is read, checked and marked as used in separate steps, so the sequence is not atomic.",
      },
      "1.1-at-once-two-codes": {
        requirement: "If two keys answer two codes of one login simultaneously, a site MUST accept one with 200 and answer 408 to the other, and the login MUST belong to the accepted key.",
        cause: "The challenge is locked but the login is not, so the second key replaces the first.",
      },
      "1.1-single-use": {
        requirement: "A site MUST answer 408 to every further response to a challenge that has succeeded, from the same wallet or another.",
        cause: "Used challenges are not marked, or the mark is in a cache that can lose it.",
      },
      "1.1-authenticated-is-final": {
        requirement: "After a login is authenticated, a site MUST NOT let another of its codes replace the user.",
        cause: "Older codes of a login stay valid after one of them has succeeded.",
      },
      "3.2-order-used": {
        requirement: "A site MUST answer 408 to a used challenge even if the signature is wrong or the key is unknown.",
        cause: "Only the statement that spends the challenge checks whether it was used, after all other checks.",
      },
    },
  },
  "Only success spends a challenge": {
    why: "The code is public. If a wrong response used it up, anyone who sees the code could keep its user from signing in.",
    fix: "Verify the signature and look up the account first. Mark the challenge as used in the transaction that authenticates the login. A refusal does not write to the challenge.",
    checks: {
      "1.1-refused-is-not-spent": {
        requirement: "A response with a wrong signature MUST NOT spend the challenge: the right wallet can still use it.",
        cause: "The challenge is deleted when it is found, before the signature is verified.",
      },
      "1.1-unknown-key-does-not-spend": {
        requirement: "A response from an unknown key MUST NOT spend the challenge: a wallet with an account can still use it.",
        cause: "The challenge is spent as soon as a signature verifies, even if the login then fails.",
      },
    },
  },
  "A challenge is found by its exact text": {
    why: "Otherwise a response that a wallet signed for another site, another action or another login could sign in here.",
    fix: "Store the whole text that was issued, with its login and action, and look it up with `=`. Do not rebuild it from its parts, and do not trim or decode it.",
    checks: {
      "1.1-exact-text": {
        requirement: "A site MUST find a challenge by its exact text and refuse any variation.",
        cause: "The text is trimmed, decoded or compared without case, or the lookup uses only the nonce or the session.",
      },
      "1.1-never-issued": {
        requirement: "A site MUST answer 408 to a challenge that it never issued, even if it is well-formed and correctly signed.",
        cause: "The challenge's form and time are checked, but it is never looked up.",
      },
      "1.1-other-domain": {
        requirement: "A site MUST answer 408 to a challenge of another domain, so that another site cannot pass on its users' responses.",
        cause: "Only the nonce and the timestamp are compared, not the domain.",
      },
      "1.1-other-action": {
        requirement: "A site MUST answer 408 to a login code at the registration webhook, and to a register code at the login webhook.",
        cause: "Both webhooks share a handler that ignores the challenge's action.",
      },
      "1.1-one-login-alone": {
        requirement: "A response MUST authenticate only the login whose challenge it signs.",
        cause: "The login is found by the key, the client address or the most recent request.",
      },
    },
  },
  "A challenge lives 30 seconds": {
    why: "A photo of the code, or a response that was held back, must soon be worthless. A user who approves in time must not be refused.",
    fix: "Store the time of issue with each challenge, by the server's clock, and check it in the statement that spends the challenge: `issued_at > now() - interval '30 seconds'`. Do the same for login and register. A new code neither ends nor extends the previous one, and times in requests do not count.",
    svcLogin: "Compare the clock of the database with this machine's, and check that every process has the same `databaseUrl`.",
    checks: {
      "1.1-refresh-keeps-previous": {
        requirement: "A new code MUST NOT end the previous one, so that a response in transit still counts.",
        cause: "A login has one challenge, and every refresh overwrites it.",
      },
      "1.1-lives-30-seconds": {
        requirement: "A site MUST accept a challenge for its full 30 seconds.",
        cause: "The lifetime is shorter, or is counted from the start of the login.",
      },
      "1.1-expired": {
        requirement: "A site MUST answer 408 to a challenge older than 30 seconds, whatever time the wallet claims.",
        cause: "Expiry is left to a clean-up job, uses the wallet's `timestamp`, or takes longer than 30 seconds.",
      },
      "1.1-expired-unregistered": {
        requirement: "A site MUST answer 408 to an expired register code and MUST NOT create an account.",
        cause: "Only the login webhook checks the time.",
      },
      "1.1-own-lifetime": {
        requirement: "A refresh MUST NOT extend the lifetime of the previous challenge.",
        cause: "The lifetime belongs to the login, and every new code extends it.",
      },
    },
  },
  "Form of a challenge": {
    why: "Wallets refuse a challenge with another form or domain. A nonce or sid that can be guessed can be signed or stolen in advance.",
    fix: "Write `svc:{action}:{host name from your configuration}:{Unix seconds}:{nonce}`. Create the nonce and the sid with `crypto.randomBytes` or `crypto.getRandomValues`. Never read the domain from a request's headers.",
    svcLogin: "The domain is the host name of `APP_URL`, which `readLoginEnv` passes to `createLogin` in `lib/login.ts` as `origin`.",
    checks: {
      "1.1-challenge-format": {
        requirement: "A challenge MUST have the form `svc:{action}:{domain}:{timestamp}:{nonce}`: five parts, with a decimal timestamp.",
        cause: "It has another separator, a port in the domain, milliseconds or an ISO time as the timestamp, or an extra part.",
      },
      "1.1-challenge-action": {
        requirement: "A challenge MUST contain the action that the code was requested for.",
        cause: "The query's mode is not passed to the function that writes the challenge.",
      },
      "1.1-challenge-domain": {
        requirement: "A challenge MUST contain the site's own host name, in lower case and without a port.",
        cause: "The domain comes from another environment's configuration, or from the `Host` header with its port.",
      },
      "1.1-challenge-domain-fixed": {
        requirement: "The domain MUST be the site's own, whatever `Host` or `X-Forwarded-Host` a request has.",
        cause: "The domain is read from a header that the caller controls.",
      },
      "1.1-challenge-time": {
        requirement: "The challenge's timestamp MUST be the time of its issue in Unix seconds.",
        cause: "The timestamp has milliseconds or another time zone, or is the start of the login.",
      },
      "1.1-nonce": {
        requirement: "The nonce MUST be 32 characters of `[A-Za-z0-9]`.",
        cause: "The nonce is a UUID, or hex or base64 of another length.",
      },
      "1.1-nonce-random": {
        requirement: "Nonces MUST NOT repeat and MUST use the whole alphabet at every position, so that they cannot be guessed.",
        cause: "The nonce comes from `Math.random`, a counter or a hash of the time, or is hex padded to 32 characters.",
      },
      "1.7-sid-random": {
        requirement: "Sids MUST NOT repeat and MUST have at least 128 random bits.",
        cause: "The sid is a counter, a short random string, or derived from the time.",
      },
    },
  },
  "Contents of a code": {
    why: "The wallet acts on the payload, and the page on the answer. A wrong URL sends the user's response elsewhere, and everyone in the room can read a secret in the code.",
    fix: "Build `qr` with `URLSearchParams` from the row that was just stored: the webhook of this origin and action, the sid, the challenge, and its timestamp as `ts`. Answer with only `sid`, `challenge`, `qr` and `expiresAt`.",
    svcLogin: "`APP_URL` sets the webhook and `SVC_QR_FORMAT` the form of `qr`. Both reach `createLogin` through `readLoginEnv` in `lib/login.ts`.",
    checks: {
      "1.2-payload": {
        requirement: "`qr` MUST have the `svc://auth?…` or the https form, MUST NOT contain a parameter twice, and MUST NOT contain a secret.",
        cause: "The payload is concatenated by hand, or contains the binding cookie's secret.",
      },
      "1.2-payload-webhook": {
        requirement: "The payload's webhook MUST be this site's own, for the requested action.",
        cause: "`APP_URL` has another host or scheme than the one that people open, or both actions share a webhook.",
      },
      "1.2-payload-session": {
        requirement: "The payload's session MUST be the `sid` of the answer.",
        cause: "The payload contains an internal identifier.",
      },
      "1.2-payload-challenge": {
        requirement: "The payload's challenge MUST equal the `challenge` of the answer.",
        cause: "The challenge is created twice or encoded twice.",
      },
      "1.2-payload-ts": {
        requirement: "The payload's `ts` MUST be the challenge's timestamp.",
        cause: "The clock is read twice, or `ts` is the end of the code's lifetime.",
      },
      "1.2-payload-page": {
        requirement: "A site MUST answer a browser that opens a code in https form with a page that explains it.",
        cause: "The webhook answers only POST, so a phone's own camera leads to an error.",
      },
      "3.1-answer": {
        requirement: "A site MUST answer a request for a code with 200 and JSON: `sid`, `challenge` and `qr` are strings, `expiresAt` is an integer.",
        cause: "A field has another name or type, or the content type is not `application/json`.",
      },
      "3.1-answer-tells-no-more": {
        requirement: "The answer MUST have only the four documented fields.",
        cause: "The login's whole row is sent, with its user, its secret or the hash of the secret.",
      },
      "3.1-expires-at": {
        requirement: "`expiresAt` MUST be 30 seconds after the challenge's timestamp, in Unix seconds.",
        cause: "It has milliseconds, is the end of the login session, or uses another lifetime.",
      },
      "3.1-mode-default": {
        requirement: "A code that is requested without a mode MUST be for a login.",
        cause: "The mode is required, or has another default.",
      },
      "3.1-mode-unknown": {
        requirement: "A site MUST answer 400 to a mode other than `login` and `register`.",
        cause: "The mode is copied into the challenge, or every unknown mode counts as `login`.",
      },
    },
  },
  "A key is a point on the curve, and one user": {
    why: "Lenient parsing can turn one key into two users or crash the site. Parsing that is too strict refuses good wallets.",
    fix: "Match the key against a pattern before any library parses it: hex of 65 bytes beginning with 04, or of 33 bytes beginning with 02 or 03. Let the library check the point, and store the key uncompressed in lower case. Answer 406 to everything else.",
    checks: {
      "1.3-compressed-accepted": {
        requirement: "A site MUST accept a compressed key.",
        cause: "The key must have 130 digits.",
      },
      "1.3-letter-case": {
        requirement: "A site MUST accept a key in any letter case.",
        cause: "The pattern for hex accepts only lower case.",
      },
      "1.3-one-key-one-user": {
        requirement: "A key MUST be the same user in every spelling: compressed or not, upper or lower case.",
        cause: "The key is stored and compared as it was sent.",
      },
      "1.3-other-forms": {
        requirement: "A site MUST answer 406 to every other form of a key, even if its signature would verify.",
        cause: "The library accepts hybrid forms, prefixes or white space, and no check runs before it.",
      },
      "1.3-no-point": {
        requirement: "A site MUST answer 406 to bytes that are not a point on the curve.",
        cause: "The library's exception becomes a 500, or the text is parsed only up to its first invalid character.",
      },
    },
  },
  "A signature is strict DER over this challenge": {
    why: "The signature is the only proof of who the user is. If the parser is lenient, someone else may be able to produce it.",
    fix: "Verify hex of strict DER over SHA-256 of the challenge's UTF-8 bytes, hashed once, with the key from the same body. Many libraries hash on their own or require a low s; here any s in [1, n-1] is valid. Answer 406 to every exception of the library.",
    checks: {
      "1.4-high-s": {
        requirement: "A site MUST accept a signature with a high s, which OpenSSL produces half the time.",
        cause: "The library rejects a high s by default, as Bitcoin does. It has an option for this.",
      },
      "1.4-low-s": {
        requirement: "A site MUST accept a signature with a low s.",
        cause: "Signatures are normalized in the wrong direction before they are verified.",
      },
      "1.4-letter-case": {
        requirement: "A site MUST accept a signature in any letter case.",
        cause: "The pattern for hex accepts only lower case.",
      },
      "1.4-lengths": {
        requirement: "A site MUST accept signatures of every length: r and s can have 31, 32 or 33 bytes.",
        cause: "The length must be 70 to 72 bytes, or r is read at a fixed offset.",
      },
      "1.4-der-lengths": {
        requirement: "A site MUST answer 406 to a signature whose lengths are not in their shortest form.",
        cause: "The signature is parsed as BER.",
      },
      "1.4-der-integers": {
        requirement: "A site MUST answer 406 if r or s has a superfluous leading zero or lacks a required one.",
        cause: "Leading zeros are removed or added before the numbers are used.",
      },
      "1.4-der-trailing": {
        requirement: "A site MUST answer 406 to a signature with extra or missing bytes, at its end or inside it.",
        cause: "The parser stops after s and does not check for the end.",
      },
      "1.4-der-tags": {
        requirement: "A site MUST answer 406 unless the signature is a SEQUENCE of two INTEGERs.",
        cause: "The tags are skipped instead of being compared.",
      },
      "1.4-range": {
        requirement: "A site MUST answer 406 unless r and s are in [1, n-1]: zero, n and values that are equal modulo n are refused.",
        cause: "The numbers are reduced modulo n, or their range is not checked (CVE-2022-21449).",
      },
      "1.4-text": {
        requirement: "A site MUST answer 406 to a signature that is not hex of DER: base64, 64 raw bytes, or hex with other text around it.",
        cause: "Several encodings are tried, or `Buffer.from(text, 'hex')` silently stops at the first invalid character.",
      },
      "1.4-hashed-once": {
        requirement: "A site MUST answer 406 unless the signature covers SHA-256 of the challenge's bytes, hashed once.",
        cause: "The text is hashed and then passed to a function that hashes it again.",
      },
      "1.4-this-challenge": {
        requirement: "A site MUST answer 406 to a signature over any other text.",
        cause: "Only a part of the challenge is verified, or the verified text comes from the request.",
      },
      "1.4-this-key": {
        requirement: "A site MUST answer 406 to a signature by any other key.",
        cause: "The signature is not verified, or is verified with a key that the caller chose.",
      },
    },
  },
  "Fields of a response": {
    why: "Fields that are not validated become server errors or wrong data. Validation that is too strict refuses newer wallets.",
    fix: "Validate the parsed body with a schema before you look anything up: the four required fields, their types and lengths. Ignore unknown fields. Record `timestamp`, but do not use it for decisions.",
    checks: {
      "1.5-required": {
        requirement: "A site MUST answer 400 to a response without one of its four required fields.",
        cause: "Fields are used without validation, so a missing one causes a 500 or counts as empty.",
      },
      "1.5-types": {
        requirement: "A site MUST answer 400 to a field of another type.",
        cause: "Values are converted with `String(…)`, `Number(…)` or `==`.",
      },
      "1.5-timestamp-range": {
        requirement: "A site MUST answer 400 unless `timestamp` is an integer from 0 to the end of the year 9999.",
        cause: "The timestamp is written to a column or a `Date` that cannot hold it.",
      },
      "1.5-device-info-length": {
        requirement: "A site MUST answer 400 to a device field that is too long.",
        cause: "The fields are stored without a limit, or the database truncates them with an error.",
      },
      "1.5-device-info-optional": {
        requirement: "A site MUST accept a response without `device_info` or any of its fields.",
        cause: "The validation requires optional fields.",
      },
      "1.5-timestamp-decides-nothing": {
        requirement: "A site MUST accept any valid `timestamp`, whatever the wallet's clock says.",
        cause: "The timestamp is compared with the server's clock.",
      },
      "2.2-unknown-fields": {
        requirement: "A site MUST ignore unknown fields of a body.",
        cause: "The validation is strict, so newer wallets are refused.",
      },
    },
  },
  "Which browser is asking (optional)": {
    why: "The right wallet signs a relayed code for the right domain. Only a user who sees which browser requested the code can notice that it belongs to someone else.",
    fix: "Answer a GET of the webhook URL that accepts JSON with `domain`, `action`, `intent`, `asked_at`, `expires_at`, `browser` and `network` of this challenge, and with 408 for any other. Do not change anything and do not set a cookie. Section 11.1 of the protocol describes the fields.",
    checks: {
      "11.1-told": {
        level: "SHOULD",
        requirement: "A site SHOULD answer a wallet's GET of the webhook URL with JSON that describes the browser which shows the code.",
        cause: "The site does not implement section 11, which is optional. With it, a user can see a stranger's browser before signing, which is the only defence against a relayed code.",
      },
      "11.1-code": {
        level: "SHOULD",
        requirement: "The answer SHOULD have the code's own domain and action, and a null intent if the code has none.",
        cause: "The values come from the request, or from the login instead of the code.",
      },
      "11.1-intent": {
        level: "SHOULD",
        requirement: "The answer SHOULD have the code's own intent.",
        cause: "`intent` is always null, so a wallet cannot notice that a relay has removed it from the payload.",
      },
      "11.1-times": {
        level: "SHOULD",
        requirement: "`asked_at` SHOULD be the time at which the browser requested this code, and `expires_at` 30 seconds later, both in UTC.",
        cause: "The times belong to the login or to this request, or are Unix seconds.",
      },
      "11.1-browser": {
        level: "SHOULD",
        requirement: "`browser.name` SHOULD be derived from the browser's `User-Agent`, and be short and plain whatever that contains.",
        cause: "The name describes the wallet that asks, or is the whole header, which its sender controls.",
      },
      "11.1-network": {
        level: "SHOULD",
        requirement: "`network` SHOULD be `same` or `unknown` if the code and this request come from the same address.",
        cause: "The address of a proxy is compared, or an address in another notation.",
      },
      "11.1-tells-no-more": {
        level: "SHOULD",
        requirement: "The answer SHOULD have only the documented members, without a user or an address, also for a browser that is signed in.",
        cause: "The login's row is sent, with its user or the address that is used to compare the networks.",
      },
      "11.1-no-cookie": {
        level: "SHOULD",
        requirement: "The answer SHOULD NOT set a cookie.",
        cause: "A middleware binds or counts every visitor, so the wallet's browser becomes part of the login.",
      },
      "11.1-spends-nothing": {
        level: "SHOULD",
        requirement: "The request SHOULD NOT change anything: the login stays pending, and the code can still be answered.",
        cause: "The challenge is marked as used when it is found.",
      },
      "11.1-any-origin": {
        level: "SHOULD",
        requirement: "Every origin SHOULD be able to read the answer, refusals too: `Access-Control-Allow-Origin: *`.",
        cause: "Only the webhook's POST has the headers, so a wallet in a browser cannot ask.",
      },
      "11.1-other-codes": {
        level: "SHOULD",
        requirement: "A site SHOULD answer 408 for an unknown challenge, a challenge of another login, and a challenge of the other webhook.",
        cause: "The login is looked up only by its sid, so anyone who knows the sid learns which browser is waiting.",
      },
      "11.1-answered": {
        level: "SHOULD",
        requirement: "A site SHOULD answer 408 for a code that was already answered.",
        cause: "The lookup checks whether the challenge exists, not whether it is still open.",
      },
      "11.1-expired": {
        level: "SHOULD",
        requirement: "A site SHOULD answer 408 for a code that is older than 30 seconds.",
        cause: "Only the webhook's POST checks the time.",
      },
      "11.1-page": {
        level: "SHOULD",
        requirement: "A site SHOULD answer a browser with a page, even if the browser also accepts JSON.",
        cause: "The check only searches `Accept` for `application/json`, which many browsers and link previews also send.",
      },
      "11.1-limited": {
        level: "SHOULD",
        requirement: "A site SHOULD refuse more than 120 of these requests a minute from one client address, whatever addresses its headers claim.",
        cause: "Only the webhook's POST is counted.",
      },
    },
  },
  "Undoing a login (optional)": {
    why: "A user who notices too late that a stranger's browser was signed in can end that login from the wallet.",
    fix: "Add `browser`, `new_browser` and `undo` to the webhook's 200. A POST to `undo`, which contains 128 random bits, ends the login and every session that it opened. Section 11.2 of the protocol has the rules.",
    svcLogin: "If your site manages its own sessions, pass `onUndone` to `createLogin`. Without it, the login does not offer `undo`.",
    checks: {
      "11.2-told": {
        level: "SHOULD",
        requirement: "The answer to an accepted response SHOULD have `browser`, `new_browser` and `undo`, an absolute URL on the webhook's host.",
        cause: "The site does not implement section 11, which is optional. With it, a user sees which browser was signed in and can end a relayed login from the wallet.",
      },
      "11.2-browser": {
        level: "SHOULD",
        requirement: "`browser` SHOULD describe the browser that showed the code, by its `User-Agent`.",
        cause: "The name describes the wallet's own request.",
      },
      "11.2-new-browser": {
        level: "SHOULD",
        requirement: "`new_browser` SHOULD be true for an account in which the browser has never signed in, even if it knows other accounts.",
        cause: "Any known-browser cookie counts, or `new_browser` describes whether the account is new.",
      },
      "11.2-known-browser": {
        level: "SHOULD",
        requirement: "`new_browser` SHOULD be false for a browser that has signed in to the account before.",
        cause: "The browser does not store anything, or the cookie ends with the session or the login.",
      },
      "11.2-undo-random": {
        level: "SHOULD",
        requirement: "Each undo URL SHOULD have 128 random bits that are unrelated to other URLs and to the code.",
        cause: "The URL contains only the sid, a counter, or a short random string.",
      },
      "11.2-undo-before": {
        level: "SHOULD",
        requirement: "A login that is undone before it is redeemed SHOULD NOT sign anyone in, and its status SHOULD be 410.",
        cause: "Only sessions are ended, while the authenticated login still waits for its browser.",
      },
      "11.2-undo-after": {
        level: "SHOULD",
        requirement: "A login that is undone after it was redeemed SHOULD lose the browser session that it opened.",
        cause: "The login ends but its session does not, often because another library manages the session. A site that cannot end the session leaves `undo` out.",
      },
      "11.2-undo-this-login": {
        level: "SHOULD",
        requirement: "Undoing a login SHOULD leave the user's other browsers signed in.",
        cause: "All sessions of the user are ended, so a user who undoes a stranger's login is signed out too.",
      },
      "11.2-undo-twice": {
        level: "SHOULD",
        requirement: "A site SHOULD answer 200 again to a repeated undo.",
        cause: "The URL is deleted after its first use, so a wallet that retries reports that it was too late.",
      },
      "11.2-undo-guessed": {
        level: "SHOULD",
        requirement: "An undo URL with a changed letter or another login's secret SHOULD get 404 and SHOULD NOT end anything.",
        cause: "The login is found by its sid, and the secret is not compared.",
      },
      "11.2-undo-get": {
        level: "SHOULD",
        requirement: "A GET of the undo URL SHOULD NOT change anything; only a POST undoes a login.",
        cause: "The link acts when it is opened, so a preview or a link scanner ends the login.",
      },
      "11.2-undo-limited": {
        level: "SHOULD",
        requirement: "A site SHOULD refuse more than 120 undo requests a minute from one client address, whatever addresses its headers claim.",
        cause: "These requests are not counted because 128 bits cannot be guessed, but each one costs a lookup.",
      },
    },
  },
  "Errors have one shape": {
    why: "Wallets and pages act on the error's code. Stack traces, SQL and paths help an attacker, and a 5xx makes users retry a request that can never succeed.",
    fix: 'Throw one error type with a code, and convert it to `{"error":{"code","message","details":{}}}` in one place. Convert every unexpected exception there to a plain `internal_error`, and log it.',
    svcLogin: "Export all methods of `login.routes` in `app/api/svc/[...path]/route.ts` and `app/webhook/[...path]/route.ts`, and exclude these paths from your `proxy.ts`.",
    checks: {
      "2.1-error-body": {
        requirement: "Every refusal MUST be JSON: `error` with `code`, `message` and `details`, where `details` is an object.",
        cause: "Some refusals come from the framework or a library.",
      },
      "2.1-error-code": {
        requirement: "The code of a refusal MUST be one that belongs to its status.",
        cause: "Codes and statuses are written at each refusal instead of in one table.",
      },
      "2.1-which-404": {
        requirement: "A 404 MUST have the code `user_not_found` at the webhook and `session_not_found` at the status.",
        cause: "Every 404 has the same code, so a wallet cannot distinguish a missing account from a wrong URL.",
      },
      "2.1-tells-nothing-inner": {
        requirement: "An error MUST NOT contain a stack trace, SQL or a path of the server.",
        cause: "The message of an exception is sent to the caller.",
      },
      "2.1-server-fault": {
        requirement: "A site MUST NOT answer 5xx to any request of this run.",
        cause: "An exception is not caught. The exchange shows the input that causes it.",
      },
      "2.1-unknown-path": {
        requirement: "A site MUST answer 404 in the same shape to unknown paths below the login's paths.",
        cause: "The framework's own page answers.",
      },
      "2.1-method": {
        requirement: "A site MUST answer 405 in the same shape, with `Allow`, to other methods.",
        cause: "The framework's own 405 has no body, or the method is not checked.",
      },
    },
  },
  "Hostile input": {
    why: "Anyone can send anything. Input that is not refused early uses up memory, breaks the database, or is read differently by the next component.",
    fix: 'Put one reader in front of all endpoints. It limits size, time, depth and number of fields, decodes UTF-8 strictly (`new TextDecoder("utf-8", { fatal: true })`), and answers 4xx before any other code runs.',
    svcLogin: "`await login.start()` in `instrumentation.ts` installs the gate that enforces these limits. `acceptsLargeBodies` in `createLogin` must not include the login's paths.",
    checks: {
      "2.2-no-json": {
        requirement: "A site MUST answer 400 to a body that is not a JSON object.",
        cause: "The exception of `JSON.parse` is not caught, or `null` is used as an object.",
      },
      "2.2-text": {
        requirement: "A site MUST answer 4xx to invalid UTF-8, NUL and lone surrogates.",
        cause: "The text reaches the database, which cannot store it.",
      },
      "2.2-nesting": {
        requirement: "A site MUST answer 400 to a body that is nested deeper than 16 levels.",
        cause: "Recursive code processes the body, or its depth is not limited.",
      },
      "2.2-prototype": {
        requirement: "A site MUST answer 400 if required fields are only inside `__proto__` or `constructor`.",
        cause: "Bodies are merged into objects by a helper that follows prototype keys.",
      },
      "2.2-body-size": {
        requirement: "A site MUST answer 413 to a body over 64 KB.",
        cause: "The framework's default is a megabyte, or only `Content-Length` is checked.",
      },
      "2.2-content-encoding": {
        requirement: "A site MUST answer 415 to a compressed body.",
        cause: "Bodies are decompressed before their size is limited.",
      },
      "2.2-query-twice": {
        requirement: "A site MUST answer 400 to a query with a repeated field.",
        cause: "The site uses one of the two values, and a proxy in front may use the other.",
      },
      "2.2-query-fields": {
        requirement: "A site MUST answer 400 to a query with more than 64 fields.",
        cause: "The fields are not counted.",
      },
      "2.2-target": {
        requirement: "A site MUST answer 414 to a request target over 4,096 bytes.",
        cause: "The server's own limit is higher, and nothing in front of it checks the length.",
      },
      "2.2-headers": {
        requirement: "A site MUST answer 431 to headers over 16 KB.",
        cause: "The server's limit was raised.",
      },
      "2.2-percent-encoding": {
        requirement: "A site MUST answer 4xx to invalid percent-encoding in a query.",
        cause: "`decodeURIComponent` throws an exception that is not caught.",
      },
      "2.2-strange-cookies": {
        requirement: "A site MUST treat a malformed binding cookie as absent and issue a code.",
        cause: "The cookie's value reaches a decoder or the database without validation.",
      },
      "2.2-strange-sids": {
        requirement: "A site MUST answer a request for a code that has a malformed `sid` with a new login or 400.",
        cause: "The sid reaches the database without validation.",
      },
    },
  },
  "Requests that a framework answers itself": {
    why: "These requests do not let anyone in. But a 5xx for a malformed request fills logs and triggers alerts, and a body that stalls holds a connection.",
    fix: "If the framework answers, no page, handler or middleware of the site can change the answer. A server in front can: nginx refuses TRACE, invalid percent-encoding and stalled bodies. Without one, add the check to your baseline.",
    svcLogin: "Plain `next start` answers these requests before the gate. Put nginx in front (docs/where-it-runs.md), or add the check to your baseline.",
    checks: {
      "2.2-percent-path": {
        level: "SHOULD",
        requirement: "A site SHOULD answer 4xx to invalid percent-encoding in a path.",
        cause: "The framework throws before any handler runs. A server in front can refuse the request.",
      },
      "2.2-odd-methods": {
        level: "SHOULD",
        requirement: "A site SHOULD answer 4xx to unusual methods.",
        cause: "The framework throws before any handler runs. A server in front can refuse the request.",
      },
      "2.2-stalled-body": {
        level: "SHOULD",
        requirement: "A site SHOULD answer 4xx after ten seconds if a body does not arrive completely.",
        cause: "A stalled request never times out, so a few idle connections use up the server.",
      },
    },
  },
  "Headers for caches, browsers and support": {
    why: "A cached answer shows one user's login to another. Wallets in browsers need CORS at the webhooks, but anywhere else it opens your users' data to other sites.",
    fix: "Set the headers in a place that every answer passes, refusals too: `Cache-Control: no-store`, a new `X-Request-Id`, and, only at the webhooks, `Access-Control-Allow-Origin: *` with a preflight.",
    svcLogin: "`login.routes` sets these headers. Check `headers` in `next.config.ts`, your `proxy.ts` and your proxy server for ones that replace them.",
    checks: {
      "2.3-no-store": {
        requirement: "Every answer of a login MUST have `Cache-Control: no-store`, refusals too.",
        cause: "The framework's default lets a proxy cache codes and statuses.",
      },
      "2.3-request-id": {
        requirement: "Every answer MUST have a different `X-Request-Id`.",
        cause: "Only successful answers have it, or it is created once per process.",
      },
      "2.3-cors-wallets": {
        requirement: "Answers to wallet responses MUST have `Access-Control-Allow-Origin: *`, refusals too.",
        cause: "The header is set only on success, so a wallet in a browser cannot read why it was refused.",
      },
      "2.3-cors-preflight": {
        requirement: "The webhook's preflight MUST allow POST and `Content-Type` for a day.",
        cause: "The framework answers OPTIONS without these headers.",
      },
      "2.3-cors-elsewhere": {
        requirement: "Other origins MUST NOT be able to read any other path: code, status, event stream or session.",
        cause: "CORS is enabled for the whole site, so any page can read codes and statuses.",
      },
      "2.3-no-credentials": {
        requirement: "A site MUST NOT let another origin use the browser's cookies.",
        cause: "A CORS library is configured with `credentials: true`.",
      },
    },
  },
  Limits: {
    why: "Without a limit, one machine can fill the database or guess all day. Clients that see how many requests are left slow down.",
    fix: "Count requests for each client address and window, in a store that all processes share. Take the address from the connection, or from a proxy that you run, never from a header that the client wrote. Send `Retry-After` with a 429.",
    svcLogin: "Set `TRUSTED_PROXIES` to the number of your proxies, or `clientAddress` in `createLogin` on a serverless host, and leave `limitScale` at 1.",
    checks: {
      "2.4-headers": {
        requirement: "Answers of limited endpoints MUST have `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`, and the remaining number MUST decrease.",
        cause: "Only the limiter's refusal sets the headers.",
      },
      "2.4-retry-after": {
        requirement: "A 429 MUST have `Retry-After`, and the same number as `details.retry_after`.",
        cause: "The refusal comes from the limiter or from a proxy.",
      },
      "2.4-codes-limited": {
        requirement: "A site MUST refuse more than 120 codes a minute for one client address, whatever addresses its headers claim.",
        cause: "Requests are not counted, or clients are distinguished by a header that the client writes.",
      },
      "2.4-responses-limited": {
        requirement: "A site MUST refuse more than 120 wallet responses a minute from one client address, whatever addresses its headers claim.",
        cause: "Only pages are limited, so the number of signature attempts is unlimited.",
      },
      "2.4-sign-ins-limited": {
        requirement: "A site MUST refuse more than 60 failed sign-ins a minute from one client address.",
        cause: "The framework handles the sign-in, and requests are not counted in front of it.",
      },
    },
  },
  "The browser is bound": {
    why: "The QR code is public, so its sid proves nothing. Only the binding cookie distinguishes the browser that shows the code from someone who photographed it.",
    fix: "Set a cookie with 32 random bytes in the answer to each request for a code: `HttpOnly; SameSite=Lax; Path=/; Max-Age=600`, on https with `Secure` and the prefix `__Host-`. Store its SHA-256 with the login. Continue a login only if the cookie matches, and start a new one otherwise. Never adopt a sid or a secret that you did not create.",
    svcLogin: "Behind a proxy that terminates TLS, `APP_URL` has to begin with `https:`. The proxy must pass cookies on unchanged.",
    checks: {
      "3.1-refresh": {
        requirement: "A browser that sends its own login's sid MUST get a new code for the same login.",
        cause: "Every code starts a new login, so responses to the previous code are lost.",
      },
      "3.1-refresh-foreign": {
        requirement: "A browser that sends another browser's sid MUST get a new login.",
        cause: "The sid is enough to continue a login, so a thief can renew the victim's codes and bind them to his own browser.",
      },
      "3.1-refresh-authenticated": {
        requirement: "A request with the sid of an authenticated login MUST start a new login.",
        cause: "A refresh resets an authenticated login to pending.",
      },
      "4.1-sid-not-adopted": {
        requirement: "A site MUST NOT adopt a sid that it did not create.",
        cause: "An unknown sid is inserted, so an attacker can choose a victim's sid in advance.",
      },
      "4.1-secret-not-adopted": {
        requirement: "A site MUST NOT adopt a binding secret that it did not create.",
        cause: "Any cookie that a browser sends becomes its secret, so a neighbouring host can plant one.",
      },
      "4.1-cookie": {
        requirement: "The answer with a code MUST set a cookie with `Path=/` and without a `Domain`.",
        cause: "The binding is missing, or the cookie has a `Domain` or a narrower `Path`.",
      },
      "4.1-cookie-httponly": {
        requirement: "The binding cookie MUST be `HttpOnly`.",
        cause: "The page reads the cookie, or the attribute was forgotten.",
      },
      "4.1-cookie-samesite": {
        requirement: "The binding cookie MUST be `SameSite=Lax`: cross-site POST requests do not send it, but links do.",
        cause: "It is `None` because of a frame, or missing, which browsers interpret differently.",
      },
      "4.1-cookie-secure": {
        requirement: "On https the binding cookie MUST be `Secure` and have the prefix `__Host-`; on http it MUST have neither.",
        cause: "A proxy terminates https, so the site does not know about it.",
      },
      "4.1-cookie-lifetime": {
        requirement: "The binding cookie MUST last ten minutes.",
        cause: "The cookie lasts for the browser session or a year, which also gives a thief of the device more time.",
      },
      "4.1-secret": {
        requirement: "The binding secret MUST have 256 bits, MUST differ for every browser, and MUST NOT appear outside the cookie.",
        cause: "The cookie contains the sid, its hash, or a short random string.",
      },
    },
  },
  "Order of the checks on a response": {
    why: "In another order, strangers learn which keys have accounts, or can use up a challenge that belongs to someone else.",
    fix: "Check the content type (415), the body (400), the challenge (408), then the key, the signature and the intent (406), then the account (404). Stop at the first failure.",
    checks: {
      "3.2-order-intent": {
        requirement: "A site MUST check the intent before the account, so that an unknown key gets 406, not 404.",
        cause: "The statement that spends the challenge compares the intent, after the user was looked up.",
      },
      "3.2-order-content-type": {
        requirement: "A site MUST answer 415 to a body that is not sent as JSON, before it reads the body.",
        cause: "The body is parsed whatever its content type is, so forms of other sites can post.",
      },
      "3.2-order-shape": {
        requirement: "A site MUST validate the body first and answer 400 even if the challenge is also unknown.",
        cause: "The challenge is looked up before the body is validated.",
      },
      "3.2-order-challenge": {
        requirement: "A site MUST check the challenge before the key and the signature: an unknown challenge gets 408, no matter who signed it.",
        cause: "The signature is verified first, or the user is looked up first.",
      },
      "3.2-order-signature": {
        requirement: "A site MUST verify the signature before it looks up the account: a wrong signature gets 406 even if the key is unknown.",
        cause: "The user is looked up first, so strangers learn which keys have accounts.",
      },
    },
  },
  "Account of a response": {
    why: "Without this, users cannot sign in, one user gets two accounts, or two users share one.",
    fix: 'Look the user up by the stored form of the key. A registration creates an account if there is none, and signs the user in if there is one. A login never creates one: 404 `user_not_found`. Success is 200 `{"status":"authenticated"}`.',
    svcLogin: "If you pass `findOrCreateUser` to `createLogin`, it has to return the same id for the same `userId` every time.",
    checks: {
      "3.2-register": {
        requirement: 'A site MUST answer a correct register response with 200 and `{"status":"authenticated"}`.',
        cause: "The verification, the webhook's path or the creation of the account does not work. Start here.",
      },
      "3.2-login": {
        requirement: 'A site MUST answer a correct login response from a known key with 200 and `{"status":"authenticated"}`.',
        cause: "The key is stored in another form than the one that is used for the lookup.",
      },
      "3.2-same-user": {
        requirement: "A key MUST sign in the same user at every login, and two keys MUST be two users.",
        cause: "Each response creates an account, or the lookup uses only a part of the key.",
      },
      "3.2-register-known-key": {
        requirement: "A registration with a key that has an account MUST sign that user in.",
        cause: "The second registration is a conflict, or creates a second account.",
      },
      "3.2-unknown-key": {
        requirement: "A site MUST answer 404 to a login with a key that has no account, and MUST NOT create one.",
        cause: "A login creates accounts like a registration.",
      },
    },
  },
  "Status of a login": {
    why: "The page waits for the status, and anyone who photographed the code can read it too. It has to be right, and it must not help anyone to get in.",
    fix: "Answer with only `status` until a response was accepted, then also with `user_id` and `redirect`, a path of this site. Answer 404 to an unknown sid and 400 to a missing one.",
    svcLogin: "`afterLogin` in `createLogin` (`lib/login.ts`) sets `redirect`.",
    checks: {
      "3.3-pending": {
        requirement: 'Before a wallet has answered, the status MUST be exactly `{"status":"pending"}`.',
        cause: "The login's row is sent, with its challenge, its browser or its previous user.",
      },
      "3.3-pending-after-refusals": {
        requirement: "A refused response MUST leave the status at pending, without a user.",
        cause: "The user is written to the login before the signature is verified.",
      },
      "3.3-strangers": {
        requirement: "A caller who knows only the sid MUST get the status and MUST NOT get a cookie.",
        cause: "The status endpoint binds or signs in its caller.",
      },
      "3.3-unregistered": {
        requirement: "After a login response from an unknown key, the status MUST be `unregistered`.",
        cause: "The 404 is not recorded, so the page cannot offer to register.",
      },
      "3.3-unregistered-until-refreshed": {
        requirement: "A new code MUST reset an unregistered login to pending.",
        cause: "The status does not change when the code is renewed.",
      },
      "3.3-authenticated": {
        requirement: "After an accepted response, the status MUST be `authenticated`.",
        cause: "The answer to the wallet and the login's status are written separately.",
      },
      "3.3-user-id": {
        requirement: "The status of an authenticated login MUST have an integer `user_id`.",
        cause: "The identifier is a string, or the field is called `userId`.",
      },
      "3.3-redirect": {
        requirement: "`redirect` MUST be a path of this site, whatever the caller requests.",
        cause: "A parameter of the page is passed on without validation, which is an open redirect after every login.",
      },
      "3.3-no-sid": {
        requirement: "A site MUST answer 400 to a request without a sid.",
        cause: "A missing sid is looked up as `undefined`, or gets the status pending.",
      },
      "3.3-unknown-sid": {
        requirement: "A site MUST answer 404 to an unknown sid, whatever it looks like.",
        cause: "An unknown login stays pending forever, or a malformed sid reaches the database.",
      },
    },
  },
  "Event stream": {
    why: "The stream only serves the page that shows the code. Anyone else who can open it holds a connection for no benefit.",
    fix: "Compare the binding cookie with the login's before the stream opens, and send the status whenever it changes. Turn off buffering in proxies.",
    svcLogin: "Turn off response buffering for `/api/svc/events` in your proxy (docs/where-it-runs.md).",
    checks: {
      "3.4-own-browser": {
        level: "SHOULD",
        requirement: "An event stream SHOULD send the status to the bound browser immediately and again when it changes.",
        cause: "A proxy buffers the stream, or the stream sends only changes.",
      },
      "3.4-strangers": {
        requirement: "A site MUST NOT open a login's event stream for any other browser.",
        cause: "The stream requires only the sid, although it contains more than the status.",
      },
    },
  },
  "A login signs its browser in": {
    why: "Without this, users cannot sign in, get someone else's account, or can have their session's cookie stolen afterwards.",
    fix: "Take the user from the redeemed login, never from the request. Give the session a new random token, set its cookie `HttpOnly`, `SameSite=Lax` and, on https, `Secure`, and redirect only to paths of this site.",
    svcLogin: "Check `app/api/auth/[...nextauth]/route.ts` and `login.nextAuth.options` in `lib/auth.ts`. A site with its own sessions passes its route to the kit with --sign-in.",
    checks: {
      "3.5-sign-in": {
        requirement: "The browser that started a login MUST be signed in after a response was accepted.",
        cause: "The cookie is not sent back because of its path or `Secure` on http, or the page signs in with another endpoint. See --sign-in.",
      },
      "3.5-right-user": {
        requirement: "The signed-in user MUST be the one in the status.",
        cause: "The session is opened for the user of another login, such as the most recent one.",
      },
      "3.5-callback": {
        requirement: "A sign-in MUST lead to a page of this site, whatever callback the caller requests.",
        cause: "NextAuth's `redirect` callback was replaced with one that returns every URL unchanged.",
      },
      "3.5-session-cookie": {
        requirement: "The session cookie MUST be `HttpOnly`, `SameSite=Lax` or stricter, and on https `Secure`.",
        cause: "The session's cookie is configured by hand.",
      },
      "3.5-session-token": {
        requirement: "The session cookie MUST NOT contain the sid, the binding secret or a hash of one of them.",
        cause: "The login is also the session, so its sid or its binding cookie is the token.",
      },
    },
  },
  "Only the bound browser is signed in": {
    why: "Anyone who photographs the QR code knows the sid. If the sid is enough, the photo signs them in as the user who approved it.",
    fix: "In every way to sign in, compare SHA-256 of the request's binding cookie with the hash that is stored with this login, in the statement that redeems it: `… WHERE sid = $1 AND browser_hash = $2`. The answer with the code sets this cookie, with 32 random bytes. Answer 401 if the cookie is missing or belongs to another login, and 403 to another site's page, which its `Origin` or `Sec-Fetch-Site` shows.",
    svcLogin: "Open sessions only after `login.redeem(headers, sid)` has returned a user, as in `app/wallet/enter/route.ts`.",
    checks: {
      "3.5-other-site": {
        requirement: "A sign-in that another site's page requests MUST get 403 and MUST NOT redeem the login: its own browser can still be signed in.",
        cause: "Only the cookie is checked, and pages on a neighbouring host send it too.",
      },
      "3.5-attempt-of-a-stranger": {
        requirement: "A caller who knows the sid and the attempt but does not have the cookie MUST NOT be signed in.",
        cause: "The attempt is accepted as proof.",
      },
      "4.2-stolen-sid": {
        requirement: "A caller who knows only the sid MUST NOT be signed in.",
        cause: "The sign-in looks up the login by its sid and does not check anything else.",
      },
      "4.2-foreign-cookie": {
        requirement: "A browser with its own login's cookie MUST NOT be signed in with another login.",
        cause: "The sign-in checks that there is a cookie, or one of an authenticated login, but not that it belongs to this login.",
      },
      "4.2-guessed-cookie": {
        requirement: "A cookie that is derived from the code MUST NOT sign anyone in.",
        cause: "The cookie contains the sid or a hash of it, or an empty value matches an empty column.",
      },
      "4.2-dashboard": {
        requirement: "A link with the sid MUST sign in only the bound browser.",
        cause: "`/dashboard?sid=` redeems a login for any browser that opens it.",
      },
    },
  },
  "A sign-in needs an accepted response": {
    why: "If a login that no wallet approved opens an account, the login does not protect anything.",
    fix: "Redeem a login only if its status is authenticated, in the `WHERE` of the statement that redeems it. Write its user in the transaction that accepts the response, not earlier.",
    svcLogin: "Open sessions only after `login.redeem(headers, sid)` has returned a user, as in `app/wallet/enter/route.ts`.",
    checks: {
      "3.5-not-before": {
        requirement: "A login that no wallet has answered MUST NOT sign anyone in.",
        cause: "The sign-in checks that the login exists, not that it is authenticated.",
      },
      "3.5-not-refused": {
        requirement: "A login that only an unknown key has answered MUST NOT sign anyone in.",
        cause: "The key is stored with the login before its account is checked.",
      },
    },
  },
  "A lost answer can be repeated": {
    why: "Answers get lost on phone networks. A page that cannot repeat the request shows an error to a user who did everything right.",
    fix: "Store the page's `attempt` with the login when it is redeemed. For a minute, give the same sid, cookie and attempt the same session again, and answer 401 to every other attempt. Without `attempt`, nothing changes.",
    checks: {
      "3.5-attempt": {
        level: "SHOULD",
        requirement: "A sign-in whose answer was lost SHOULD be repeatable with the same `attempt`, and with no other.",
        cause: "The page's `attempt` is ignored, so a lost answer loses the login.",
      },
    },
  },
  Intents: {
    why: "An intent means that a code adds a key or approves a change. A relay could remove it, and the victim would approve a change in the belief that it is a login.",
    fix: "Store the intent with the challenge. If a response has the member `intent`, compare it with the stored one, null for none, and answer 406 `intent_mismatch` if they differ. If it does not, handle the response as usual. Issue such codes only to signed-in browsers.",
    svcLogin: "`addsKeys` in `createLogin` enables codes that add a key. Do not filter `intent` out of queries or bodies in `proxy.ts`.",
    checks: {
      "3.6-intent-added": {
        requirement: "For a code without an intent, a site MUST refuse a response with an intent with 406 and MUST NOT spend the challenge; null MUST be accepted.",
        cause: "The field is ignored, so a changed intent goes unnoticed, or null is compared as if it were a string.",
      },
      "3.6-intent-dropped": {
        requirement: "For a code with an intent, a site MUST refuse a response with another intent or null with 406, and accept its own.",
        cause: "The field is ignored. A relay can then remove the intent, and the victim's wallet asks whether to sign in.",
      },
      "3.6-intent-untold": {
        requirement: "A site MUST handle a response without `intent` as usual, also for a code with an intent.",
        cause: "The field is required, so wallets that do not support it can no longer approve.",
      },
      "3.6-intent-unknown": {
        requirement: "A site MUST answer 400 to a request for a code with an unknown intent.",
        cause: "The intent is ignored, so a page that requests an approval signs someone in instead.",
      },
      "3.6-intent-of-a-stranger": {
        requirement: "A site MUST NOT issue a code that adds a key or approves a change to a browser that is not signed in.",
        cause: "The intent is handled before the browser session is checked.",
      },
    },
  },
  "A login is redeemed once, for a new session": {
    why: "A login that can be redeemed again is a second key to the account for anyone who copies the cookies later. An existing session may be one that an attacker planted.",
    fix: "Redeem with one statement: `UPDATE login SET redeemed_at = now() WHERE sid = $1 AND browser_hash = $2 AND status = 'authenticated' AND redeemed_at IS NULL RETURNING user_id`. If it returns no row, answer 401. Then create a new random session token, whatever cookies the request has.",
    svcLogin: "In your own session code (`lib/wallet-session.ts`), create a new token for each redeemed login.",
    checks: {
      "4.2-once": {
        requirement: "A login MUST be redeemed at most once, even if the same browser tries again.",
        cause: "Redeeming does not end the login.",
      },
      "4.2-once-at-once": {
        requirement: "Exactly one of several simultaneous redemptions MUST open a session.",
        cause: "The login is read and ended in separate steps.",
      },
      "4.2-new-session": {
        requirement: "Each redemption MUST open a new session and MUST NOT keep an existing token.",
        cause: "The existing session gets a user instead of being replaced (session fixation).",
      },
    },
  },
  "Signing out": {
    why: "On a shared computer, the next person could continue as the previous user, with a copied token or with a login that is still waiting.",
    fix: "Store sessions as rows and delete the row, not only the cookie. In the same transaction end all logins of this browser, and remove the binding cookie.",
    svcLogin: "Use `login.nextAuth.options` in `lib/auth.ts`, so that NextAuth's sign-out also ends the login.",
    checks: {
      "4.3-sign-out": {
        requirement: "Signing out MUST end the browser session, so that its token no longer works.",
        cause: "Only the cookie is deleted, and the token works until it expires.",
      },
      "4.3-binding-removed": {
        requirement: "Signing out MUST remove the binding cookie.",
        cause: "Sign-out removes only the session's cookie.",
      },
      "4.3-pending-ended": {
        requirement: "Signing out MUST end the browser's logins in progress: a pending code gets 408.",
        cause: "Sign-out does not look up the logins of the browser.",
      },
      "4.3-answered-ended": {
        requirement: "Signing out MUST also end the browser's authenticated logins, so that they cannot be redeemed.",
        cause: "Only pending logins are ended, so an authenticated one signs in the next person at the browser.",
      },
    },
  },
} as const satisfies Texts;

export type SiteId = IdOf<typeof SITE_TEXTS>;
