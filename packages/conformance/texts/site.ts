import type { IdOf, Texts } from "../check.ts";

/** What the checks of a site's own login require, by what they guard. */
export const SITE_TEXTS = {
  "A challenge succeeds once": {
    why: "Whoever records a wallet's response, or sends it twice at the same moment, signs in a second time, or puts somebody else in the user's place.",
    fix: "Let one statement find the challenge, spend it and answer its login: `UPDATE challenge SET used_at = now() WHERE text = $1 AND used_at IS NULL AND issued_at > now() - interval '30 seconds' RETURNING login_id`, and only where that login is still pending. No row means 408. Reading first and marking later lets two through.",
    checks: {
      "1.1-at-once": {
        requirement: "Of thirty responses to one challenge at once exactly one gets 200, and the others get 408.",
        cause: "The challenge is read, judged and marked as used in separate steps, with nothing atomic between them.",
      },
      "1.1-at-once-two-codes": {
        requirement: "Of two codes of one login that two keys answer at once one gets 200 and the other 408, and the login is the accepted key's.",
        cause: "The challenge is locked and the login is not, so that the second key replaces the first.",
      },
      "1.1-single-use": {
        requirement: "A challenge that has succeeded gets 408, from the same wallet and from any other.",
        cause: "Used challenges are not marked, or the mark is kept in a cache that forgets.",
      },
      "1.1-authenticated-is-final": {
        requirement: "Once a login is authenticated, no other code of it can put another user in its place.",
        cause: "The older codes of a login stay alive after one of them has succeeded.",
      },
      "3.2-order-used": {
        requirement: "A used challenge gets 408 though the signature is wrong, and though the key is unknown.",
        cause: "Whether a challenge was used is judged last, by the statement that spends it.",
      },
    },
  },
  "Only success spends a challenge": {
    why: "The code is public. If a wrong response used it up, anybody who sees it could keep its user out.",
    fix: "Judge signature and account first, and mark the challenge as used in the transaction that authenticates the login. A refusal writes nothing to the challenge.",
    checks: {
      "1.1-refused-is-not-spent": {
        requirement: "A response with a wrong signature leaves the challenge to the wallet that answers it rightly.",
        cause: "The challenge is deleted when it is found, before the signature is judged.",
      },
      "1.1-unknown-key-does-not-spend": {
        requirement: "A response by an unknown key leaves the challenge to a wallet that has an account.",
        cause: "The challenge is spent as soon as a signature verifies, and not by success alone.",
      },
    },
  },
  "A challenge is found by its exact text": {
    why: "What a wallet signed for another site, another action or another login would sign in here.",
    fix: "Keep the whole text that was issued, with its login and action, and look it up with `=`. Never rebuild it from its parts, and trim or decode nothing.",
    checks: {
      "1.1-exact-text": {
        requirement: "A challenge is found by its exact text: nothing that is nearly the same is accepted.",
        cause: "The text is trimmed, decoded or compared without case, or found by its nonce or its session alone.",
      },
      "1.1-never-issued": {
        requirement: "A challenge that the site never issued gets 408, however well it is formed and signed.",
        cause: "The challenge is judged by its form and its time, and never looked up.",
      },
      "1.1-other-domain": {
        requirement: "A response to another domain's challenge gets 408, so that no other site can pass one on.",
        cause: "Only nonce and timestamp are compared, and the domain is not.",
      },
      "1.1-other-action": {
        requirement: "A login code is refused at the webhook of registration with 408, and the other way round.",
        cause: "Both webhooks share a handler that does not look at the challenge's action.",
      },
      "1.1-one-login-alone": {
        requirement: "A response authenticates the login whose challenge it signs, and no other.",
        cause: "The login is found by the key, the client address or the last one that waits.",
      },
    },
  },
  "A challenge lives 30 seconds": {
    why: "A photograph of the code, or a response that was held back, must be worth nothing soon after. And who approves in time must not be turned away.",
    fix: "Keep the time of issue with each challenge, by the server's clock, and put the limit into the statement that spends it: `issued_at > now() - interval '30 seconds'`. It holds for login and register alike. A new code neither ends nor prolongs the one before, and no time in a request counts.",
    checks: {
      "1.1-refresh-keeps-previous": {
        requirement: "A new code does not end the one before, so that an answer under way still counts.",
        cause: "A login holds one challenge, which every refresh overwrites.",
      },
      "1.1-lives-30-seconds": {
        requirement: "A challenge is good for its whole 30 seconds.",
        cause: "A shorter lifetime, or one that is counted from the start of the login.",
      },
      "1.1-expired": {
        requirement: "A challenge older than 30 seconds gets 408, whatever time the wallet claims.",
        cause: "Expiry is left to a clean-up job, judged by the wallet's `timestamp`, or longer than 30 seconds.",
      },
      "1.1-expired-unregistered": {
        requirement: "An expired register code gets 408 and makes no account.",
        cause: "Only the webhook of login looks at the time.",
      },
      "1.1-own-lifetime": {
        requirement: "Each challenge lives by its own issue: a refresh gives no more time to the one before.",
        cause: "The lifetime belongs to the login, and every new code prolongs it.",
      },
    },
  },
  "What a challenge says": {
    why: "Wallets refuse a challenge of another form or domain. A nonce or sid that can be guessed can be signed or stolen in advance.",
    fix: "Write `svc:{action}:{host name of your configuration}:{Unix seconds}:{nonce}`. Take nonce and sid from `crypto.randomBytes` or `crypto.getRandomValues`, and the domain never from a request's headers.",
    checks: {
      "1.1-challenge-format": {
        requirement: "A challenge is `svc:{action}:{domain}:{timestamp}:{nonce}`: five parts, and a decimal timestamp.",
        cause: "Another separator, a port in the domain, milliseconds or ISO time for the timestamp, or a part too many.",
      },
      "1.1-challenge-action": {
        requirement: "The challenge names the action that the code was asked for.",
        cause: "The mode of the query is not passed on to what writes the challenge.",
      },
      "1.1-challenge-domain": {
        requirement: "The challenge names the site's own host name, in lower case and without a port.",
        cause: "The domain is taken from configuration of another environment, or from the `Host` header with its port.",
      },
      "1.1-challenge-domain-fixed": {
        requirement: "The domain is the site's own, whatever `Host` or `X-Forwarded-Host` a request names.",
        cause: "The domain is read from a header that the caller writes.",
      },
      "1.1-challenge-time": {
        requirement: "The challenge's timestamp is the time of its issue, in Unix seconds.",
        cause: "Milliseconds, another time zone, or the time when the login was started instead of the code's.",
      },
      "1.1-nonce": {
        requirement: "The nonce has 32 characters of `[A-Za-z0-9]`.",
        cause: "A UUID, hex or base64 of another length is used for the nonce.",
      },
      "1.1-nonce-random": {
        requirement: "Nonces do not repeat and use the whole alphabet at every position, so nobody can guess one.",
        cause: "`Math.random`, a counter, a hash of the time, or hex digits padded to 32 characters.",
      },
      "1.7-sid-random": {
        requirement: "Sids do not repeat, and 128 bits of each cannot be told from others.",
        cause: "A counter, a short random text, or an identifier made from the time.",
      },
    },
  },
  "What a code carries": {
    why: "A wallet acts on the payload and the page on the answer. A wrong address sends the user's response elsewhere, and a secret in it is readable from across the room.",
    fix: "Build `qr` with `URLSearchParams` from the row that was just stored: webhook of this origin and action, sid, challenge, and its timestamp as `ts`. Answer with `sid`, `challenge`, `qr` and `expiresAt`, and nothing else.",
    checks: {
      "1.2-payload": {
        requirement: "`qr` is `svc://auth?…` or the https form, names no parameter twice, and carries no secret.",
        cause: "The payload is put together by hand, or holds the binding cookie's secret.",
      },
      "1.2-payload-webhook": {
        requirement: "The payload's webhook is this site's own, for the action that was asked for.",
        cause: "`APP_URL` names another host or scheme than the one that people open, or both actions share a webhook.",
      },
      "1.2-payload-session": {
        requirement: "The payload's session is the `sid` of the answer.",
        cause: "An internal identifier is put into the payload.",
      },
      "1.2-payload-challenge": {
        requirement: "The payload's challenge is the `challenge` of the answer, to the letter.",
        cause: "The challenge is made twice, or encoded twice.",
      },
      "1.2-payload-ts": {
        requirement: "The payload's `ts` is the challenge's timestamp.",
        cause: "The clock is read twice, or `ts` is the end of the code's life.",
      },
      "1.2-payload-page": {
        requirement: "A browser that opens a code of the https form gets a page that explains it.",
        cause: "The webhook answers POST alone, so a phone's own camera leads to an error.",
      },
      "3.1-answer": {
        requirement: "A code is answered with 200 and JSON: `sid`, `challenge` and `qr` are texts, `expiresAt` is an integer.",
        cause: "A field has another name or type, or the content type is not `application/json`.",
      },
      "3.1-answer-tells-no-more": {
        requirement: "The answer to a code has the four documented fields and nothing else.",
        cause: "The whole row of the login is sent, with its user, its secret or the hash of it.",
      },
      "3.1-expires-at": {
        requirement: "`expiresAt` is the end of this very challenge: 30 seconds after its timestamp, in Unix seconds.",
        cause: "Milliseconds, the end of the login session, or another lifetime than 30 seconds.",
      },
      "3.1-mode-default": {
        requirement: "A code that is asked for without a mode is for a login.",
        cause: "The mode is required, or has another default.",
      },
      "3.1-mode-unknown": {
        requirement: "Another mode than login and register is refused with 400.",
        cause: "The mode is written into the challenge as it comes, or anything unknown counts as login.",
      },
    },
  },
  "A key is a point on the curve, and one user": {
    why: "A key that is read loosely can be two users, or crash the site. One that is read narrowly turns good wallets away.",
    fix: "Accept hex of 65 bytes that begins with 04, or of 33 that begins with 02 or 03, by a pattern, before any library sees it. Let the library check the point, and store it uncompressed and in lower case. Everything else is 406.",
    checks: {
      "1.3-compressed-accepted": {
        requirement: "A key may be sent in its compressed form.",
        cause: "The key's length is compared with 130 digits.",
      },
      "1.3-letter-case": {
        requirement: "A key may be sent in any letter case.",
        cause: "A pattern for hex that knows lower case alone.",
      },
      "1.3-one-key-one-user": {
        requirement: "A key is the same user in every spelling: compressed or not, upper or lower case.",
        cause: "The key is stored and compared as it was sent.",
      },
      "1.3-other-forms": {
        requirement: "Every other form of a key is refused with 406, though its signature would verify.",
        cause: "The library that reads keys takes hybrid forms, prefixes or white space, and nothing stands before it.",
      },
      "1.3-no-point": {
        requirement: "What is no point of the curve is refused with 406, and breaks nothing.",
        cause: "An exception of the library becomes a 500, or a text is read up to its first wrong character.",
      },
    },
  },
  "A signature is strict DER over this challenge": {
    why: "The signature is all that proves who somebody is. What is read loosely can be made by somebody else.",
    fix: "Verify hex of strict DER over SHA-256 of the challenge's UTF-8 bytes, hashed once, with the key of the same body. Many libraries hash by themselves, or want low s: here any s in [1, n-1] counts. Every exception of the library is a 406.",
    checks: {
      "1.4-high-s": {
        requirement: "A signature with a high s is accepted: OpenSSL makes one half the time.",
        cause: "The library's default refuses high s, as Bitcoin does; it has an option.",
      },
      "1.4-low-s": {
        requirement: "A signature with a low s is accepted.",
        cause: "Signatures are normalised before they are verified, and in the wrong direction.",
      },
      "1.4-letter-case": {
        requirement: "A signature may be written in any letter case.",
        cause: "A pattern for hex that knows lower case alone.",
      },
      "1.4-lengths": {
        requirement: "Signatures of every length are accepted: r and s may have 31, 32 or 33 bytes.",
        cause: "The length is compared with 70 to 72 bytes, or r is cut out of a fixed place.",
      },
      "1.4-der-lengths": {
        requirement: "Lengths have their shortest form: the long and the indefinite ones are refused with 406.",
        cause: "The signature is read as BER.",
      },
      "1.4-der-integers": {
        requirement: "r and s are minimal: zeros too many, or one too few, are refused with 406.",
        cause: "Leading zeros are stripped or added before the numbers are used.",
      },
      "1.4-der-trailing": {
        requirement: "Nothing stands behind the signature or within it, and nothing is missing: otherwise 406.",
        cause: "The reader stops after s and does not ask whether that is the end.",
      },
      "1.4-der-tags": {
        requirement: "The signature is a SEQUENCE of two INTEGERs: other tags are refused with 406.",
        cause: "Tags are skipped without being looked at.",
      },
      "1.4-range": {
        requirement: "r and s lie in [1, n-1]: zero, n and what is equal modulo n are refused with 406.",
        cause: "The numbers are taken modulo n, or their range is not looked at (CVE-2022-21449).",
      },
      "1.4-text": {
        requirement: "A signature is hex of DER: base64, 64 raw bytes and texts around the hex are refused with 406.",
        cause: "Several encodings are guessed, or `Buffer.from(text, 'hex')` stops in silence at the first wrong character.",
      },
      "1.4-hashed-once": {
        requirement: "The signature is over SHA-256 of the challenge's bytes, hashed once: anything else is refused with 406.",
        cause: "The text is hashed and handed to a function that hashes again.",
      },
      "1.4-this-challenge": {
        requirement: "A signature over any other text is refused with 406.",
        cause: "Only a part of the challenge is verified, or the text that is verified comes from the request.",
      },
      "1.4-this-key": {
        requirement: "A signature by any other key is refused with 406, so that nobody signs in as somebody else.",
        cause: "The signature is not verified, or with a key that the caller chose.",
      },
    },
  },
  "The fields of a response": {
    why: "Unchecked fields become server errors or wrong data. Fields that are checked too strictly turn newer wallets away.",
    fix: "Validate the parsed body with a schema before you look anything up: the four required fields, their types and lengths. Ignore what you do not know, record `timestamp` and decide nothing by it.",
    checks: {
      "1.5-required": {
        requirement: "A response without one of its four required fields is refused with 400.",
        cause: "Fields are used without being validated, so a missing one becomes a 500 or counts as empty.",
      },
      "1.5-types": {
        requirement: "A field of another type is refused with 400.",
        cause: "Values are converted: `String(…)`, `Number(…)` or a comparison with `==`.",
      },
      "1.5-timestamp-range": {
        requirement: "`timestamp` is an integer from 0 to the end of the year 9999; anything else is refused with 400.",
        cause: "The timestamp goes into a column or a `Date` that cannot hold it.",
      },
      "1.5-device-info-length": {
        requirement: "Device texts that are too long are refused with 400.",
        cause: "They are stored as they come, or cut off by the database with an error.",
      },
      "1.5-device-info-optional": {
        requirement: "`device_info` and each of its fields may be absent.",
        cause: "The validation requires what is optional.",
      },
      "1.5-timestamp-decides-nothing": {
        requirement: "The wallet's clock decides nothing: any valid `timestamp` is accepted.",
        cause: "The timestamp is compared with the server's clock.",
      },
      "2.2-unknown-fields": {
        requirement: "Unknown fields of a body are ignored.",
        cause: "The validation is strict, so newer wallets are turned away.",
      },
    },
  },
  "Who is asking (optional)": {
    why: "A relayed code is signed by the right wallet for the right domain. Only a user who sees which browser asked can notice that it is not theirs.",
    fix: "Answer a GET of the webhook's address that accepts JSON with `domain`, `action`, `intent`, `asked_at`, `expires_at`, `browser` and `network` of this very challenge, and 408 for every other. Change nothing and set no cookie. Section 11.1 of the protocol has the fields.",
    checks: {
      "11.1-told": {
        level: "SHOULD",
        requirement: "A wallet that asks at the webhook's address is told in JSON which browser shows the code.",
        cause: "The site has none of section 11, which is optional. With it a user sees a foreign browser before signing: nothing else stops a relayed code.",
      },
      "11.1-code": {
        level: "SHOULD",
        requirement: "The answer names the code's own domain and action, and no intent where it has none.",
        cause: "The values are those of the request, or of the login instead of the code.",
      },
      "11.1-intent": {
        level: "SHOULD",
        requirement: "The answer names what a code asks for instead of a login.",
        cause: "`intent` is always null, so a wallet cannot tell that a relay has dropped it from the payload.",
      },
      "11.1-times": {
        level: "SHOULD",
        requirement: "`asked_at` is when the browser asked for this code, and `expires_at` is 30 seconds later, in UTC.",
        cause: "The times are the login's, or the question's own, or Unix seconds.",
      },
      "11.1-browser": {
        level: "SHOULD",
        requirement: "`browser.name` is made from the browser's `User-Agent`, and is short and plain whatever that is.",
        cause: "The name is that of the wallet that asks, or the whole header, which its sender chooses.",
      },
      "11.1-network": {
        level: "SHOULD",
        requirement: "`network` is `same`, or `unknown`, where code and question come from one address.",
        cause: "The address of a proxy is compared, or a text of another form.",
      },
      "11.1-tells-no-more": {
        level: "SHOULD",
        requirement: "The answer has the documented members alone: no user, no address, of a signed-in browser either.",
        cause: "The login's row is sent, with its user or the address that the networks are told by.",
      },
      "11.1-no-cookie": {
        level: "SHOULD",
        requirement: "The question sets no cookie.",
        cause: "A middleware binds or counts whoever comes, so the wallet's browser becomes a part of the login.",
      },
      "11.1-spends-nothing": {
        level: "SHOULD",
        requirement: "The question changes nothing: the login is pending as before, and the code can be answered.",
        cause: "The challenge is marked when it is found, as for an answer.",
      },
      "11.1-any-origin": {
        level: "SHOULD",
        requirement: "Any origin may read the answer, a refusal too: `Access-Control-Allow-Origin: *`.",
        cause: "The headers are those of the webhook's POST alone, so a wallet in a browser cannot ask.",
      },
      "11.1-other-codes": {
        level: "SHOULD",
        requirement: "Of an unknown challenge, another login's or the other webhook's nothing is told: 408.",
        cause: "The login is looked up by its sid alone, so that whoever knows it learns which browser waits.",
      },
      "11.1-answered": {
        level: "SHOULD",
        requirement: "Of a code that was answered nothing is told: 408.",
        cause: "The question asks whether the challenge exists, and not whether it still waits.",
      },
      "11.1-expired": {
        level: "SHOULD",
        requirement: "Of a code older than 30 seconds nothing is told: 408.",
        cause: "Only the webhook's POST looks at the time.",
      },
      "11.1-page": {
        level: "SHOULD",
        requirement: "A browser that opens the address gets a page, also where it would take JSON.",
        cause: "`Accept` is searched for `application/json`, which many browsers and link previews name too.",
      },
      "11.1-limited": {
        level: "SHOULD",
        requirement: "One address asks at most 120 questions a minute, whatever addresses it claims.",
        cause: "Only the webhook's POST is counted.",
      },
    },
  },
  "Taking a login back (optional)": {
    why: "Who notices a moment too late that a foreign browser was signed in can end it, from the wallet.",
    fix: "Add `browser`, `new_browser` and `undo` to the 200 of the webhook. A POST to `undo`, whose secret has 128 random bits, ends the login and every session that came of it. Section 11.2 of the protocol has the rules.",
    checks: {
      "11.2-told": {
        level: "SHOULD",
        requirement: "The answer to an accepted response has `browser`, `new_browser` and `undo`, an absolute URL on the webhook's host.",
        cause: "The site has none of section 11, which is optional. With it a user sees who was signed in, and ends a relayed login from the wallet.",
      },
      "11.2-browser": {
        level: "SHOULD",
        requirement: "The answer names the browser that showed the code, by its `User-Agent`.",
        cause: "The name is made from the wallet's own request.",
      },
      "11.2-new-browser": {
        level: "SHOULD",
        requirement: "A browser is new to an account in which it has never signed in, whatever other account it knows.",
        cause: "A cookie alone makes a browser known, or `new_browser` tells whether the account is new.",
      },
      "11.2-known-browser": {
        level: "SHOULD",
        requirement: "A browser that has signed in to the account before is not new to it.",
        cause: "Nothing is kept in the browser, or it ends with the session or the login.",
      },
      "11.2-undo-random": {
        level: "SHOULD",
        requirement: "128 bits of each undo address cannot be told from others, nor from the code.",
        cause: "The address holds the sid alone, a counter, or a short random text.",
      },
      "11.2-undo-before": {
        level: "SHOULD",
        requirement: "A login that is taken back before it is redeemed signs nobody in, and is over: 410.",
        cause: "Only sessions are ended, and the answered login waits for its browser.",
      },
      "11.2-undo-after": {
        level: "SHOULD",
        requirement: "A login that is taken back after it was redeemed ends the browser session that it opened.",
        cause: "The login is ended, and its session lives on: often one of another library, which the site has to end itself. A site that cannot end it leaves `undo` out.",
      },
      "11.2-undo-this-login": {
        level: "SHOULD",
        requirement: "Taking a login back leaves the user's other browsers signed in.",
        cause: "All sessions of the user are ended, so whoever undoes a stranger's login is signed out too.",
      },
      "11.2-undo-twice": {
        level: "SHOULD",
        requirement: "Taking a login back again is answered 200 again.",
        cause: "The address is forgotten once it was used, so a wallet that tries again says that it was too late.",
      },
      "11.2-undo-guessed": {
        level: "SHOULD",
        requirement: "An undo address with a letter changed, or another login's secret, gets 404 and ends nothing.",
        cause: "The login is found by its sid, and the secret beside it is not compared.",
      },
      "11.2-undo-get": {
        level: "SHOULD",
        requirement: "Opening the undo address changes nothing: only a POST takes a login back.",
        cause: "The link itself acts, so that a preview or a scanner of links ends the login.",
      },
      "11.2-undo-limited": {
        level: "SHOULD",
        requirement: "One address tries at most 120 undos a minute, whatever addresses it claims.",
        cause: "Nothing counts, since nobody guesses 128 bits: but each try costs the site a look-up.",
      },
    },
  },
  "Errors have one shape": {
    why: "Wallets and pages act on the error's code. Stacks, SQL and paths help an attacker, and a 5xx tells users to try again what can never work.",
    fix: 'Throw one error type with a code, and turn it into `{"error":{"code","message","details":{}}}` in one place. There, everything unexpected becomes a plain `internal_error` and goes to the log.',
    checks: {
      "2.1-error-body": {
        requirement: "Every refusal is JSON: `error` with `code`, `message` and `details`, which is an object.",
        cause: "Some refusals are the framework's own, or a library's.",
      },
      "2.1-error-code": {
        requirement: "The code in a refusal is the one that belongs to its status.",
        cause: "Codes and statuses are written at each refusal instead of in one table.",
      },
      "2.1-which-404": {
        requirement: "A 404 says what is missing: `user_not_found` at the webhook, `session_not_found` at the status.",
        cause: "One code for every 404, so a wallet cannot tell a missing account from a wrong address.",
      },
      "2.1-tells-nothing-inner": {
        requirement: "No error holds a stack, SQL, or a path of the server.",
        cause: "The message of an exception is sent to the caller.",
      },
      "2.1-server-fault": {
        requirement: "Nothing that this run has sent made the site fail: no answer was a 5xx.",
        cause: "An exception that nobody catches: look at the exchange, it is the input that does it.",
      },
      "2.1-unknown-path": {
        requirement: "Unknown paths below the login's own are 404 in the same shape.",
        cause: "The framework's own page answers.",
      },
      "2.1-method": {
        requirement: "Another method gets 405 in the same shape, with `Allow`.",
        cause: "The framework's own 405 has no body, or the method is not looked at.",
      },
    },
  },
  "Hostile input": {
    why: "Anybody can send anything. What is not refused early costs memory, breaks the database, or becomes another request than the one that was judged.",
    fix: 'Wrap all endpoints in one reader that bounds size, time, depth and number of fields, decodes UTF-8 strictly (`new TextDecoder("utf-8", { fatal: true })`), and answers with a 4xx before any other code runs.',
    checks: {
      "2.2-no-json": {
        requirement: "A body that is no JSON object is refused with 400.",
        cause: "The exception of `JSON.parse` is not caught, or `null` is read as an object.",
      },
      "2.2-text": {
        requirement: "Invalid UTF-8, NUL and lone surrogates are refused with a 4xx.",
        cause: "The text reaches the database, which cannot hold it.",
      },
      "2.2-nesting": {
        requirement: "A body nested deeper than 16 levels is refused with 400.",
        cause: "Recursive code walks the body, or nothing limits its depth.",
      },
      "2.2-prototype": {
        requirement: "Fields behind `__proto__` or `constructor` are not the body's own: 400.",
        cause: "Bodies are merged into objects by a helper that follows prototype keys.",
      },
      "2.2-body-size": {
        requirement: "A body over 64 KB is refused with 413.",
        cause: "The framework's default of a megabyte, or the size is looked at only in `Content-Length`.",
      },
      "2.2-content-encoding": {
        requirement: "A compressed body is refused with 415.",
        cause: "Bodies are decompressed before their size is limited.",
      },
      "2.2-query-twice": {
        requirement: "A query that names a field twice is refused with 400.",
        cause: "One of the two is taken, and a proxy in front takes the other.",
      },
      "2.2-query-fields": {
        requirement: "A query of more than 64 fields is refused with 400.",
        cause: "Nothing counts them.",
      },
      "2.2-target": {
        requirement: "A request target over 4,096 bytes is refused with 414.",
        cause: "The server's own limit is larger, and nothing stands before it.",
      },
      "2.2-headers": {
        requirement: "Headers over 16 KB are refused with 431.",
        cause: "The server's limit was raised.",
      },
      "2.2-percent-encoding": {
        requirement: "Broken percent-encoding in a query is refused with a 4xx.",
        cause: "`decodeURIComponent` throws, and nobody catches it.",
      },
      "2.2-strange-cookies": {
        requirement: "A binding cookie that is malformed counts as none: the browser gets a code.",
        cause: "The cookie's value reaches a decoder or the database as it came.",
      },
      "2.2-strange-sids": {
        requirement: "A strange `sid` at the code's endpoint gets a new login or 400, and breaks nothing.",
        cause: "The sid reaches the database as it came.",
      },
    },
  },
  "What a framework answers before any handler": {
    why: "Nobody gets in by it. But a 5xx for a broken request fills logs and wakes people up, and a body that stalls holds a connection.",
    fix: "Where the framework answers, no page, handler or middleware of the site can change it. A server in front can: nginx refuses TRACE, broken percent-encoding and stalled bodies by itself. Without one, name the check in your baseline.",
    checks: {
      "2.2-percent-path": {
        level: "SHOULD",
        requirement: "Broken percent-encoding in a path is refused with a 4xx.",
        cause: "The framework throws before any handler; a server in front of it can refuse.",
      },
      "2.2-odd-methods": {
        level: "SHOULD",
        requirement: "Odd methods are refused with a 4xx.",
        cause: "The framework throws before any handler; a server in front of it can refuse.",
      },
      "2.2-stalled-body": {
        level: "SHOULD",
        requirement: "A body that never arrives in full is answered with a 4xx after ten seconds.",
        cause: "Nothing ends a request that stalls, so a few idle connections use up the server.",
      },
    },
  },
  "Headers for caches, browsers and support": {
    why: "A cached answer shows one user's login to another. Wallets in browsers need CORS at the webhooks; anywhere else it opens your users' data to other sites.",
    fix: "Set the headers where all answers pass, refusals too: `Cache-Control: no-store`, a new `X-Request-Id`, and `Access-Control-Allow-Origin: *` with a preflight at the webhooks alone.",
    checks: {
      "2.3-no-store": {
        requirement: "No answer of a login may be stored: each says `Cache-Control: no-store`, refusals too.",
        cause: "The framework's default lets a proxy keep codes and statuses.",
      },
      "2.3-request-id": {
        requirement: "Every answer carries an `X-Request-Id` of its own.",
        cause: "Only successful answers carry it, or it is made once a process.",
      },
      "2.3-cors-wallets": {
        requirement: "Any origin may read the answer to a wallet's post, refusals too: `Access-Control-Allow-Origin: *`.",
        cause: "The header is set where the handler succeeds, so a wallet in a browser cannot read why it was refused.",
      },
      "2.3-cors-preflight": {
        requirement: "A wallet in a browser may post JSON: the preflight allows POST and `Content-Type` for a day.",
        cause: "OPTIONS is answered by the framework, without the headers.",
      },
      "2.3-cors-elsewhere": {
        requirement: "No other path lets another origin read it: not the code, the status, the stream or the session.",
        cause: "CORS is switched on for the whole site, so that any page reads codes and statuses.",
      },
      "2.3-no-credentials": {
        requirement: "No answer allows another origin to use the browser's cookies.",
        cause: "A CORS library with `credentials: true`.",
      },
    },
  },
  Limits: {
    why: "Without a limit one machine fills the database, or guesses all day. Clients that are told what is left slow down by themselves.",
    fix: "Count by the client's address and window, in a store that all processes share. Take the address from the connection, or from a proxy that you run, and never from a header that the client wrote. A 429 says `Retry-After`.",
    checks: {
      "2.4-headers": {
        requirement: "Limited endpoints say what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`, and count down.",
        cause: "The headers are set by the limiter's refusal alone.",
      },
      "2.4-retry-after": {
        requirement: "A 429 says when to come back: `Retry-After`, and the same as `details.retry_after`.",
        cause: "The refusal is the limiter's own, or a proxy's.",
      },
      "2.4-codes-limited": {
        requirement: "One address gets at most 120 codes a minute, whatever addresses it claims.",
        cause: "Nothing counts, or the client is told apart by a header that the client writes.",
      },
      "2.4-responses-limited": {
        requirement: "One address posts at most 120 wallet responses a minute, whatever addresses it claims.",
        cause: "Only pages are limited, so signatures can be tried without end.",
      },
      "2.4-sign-ins-limited": {
        requirement: "One address fails at most 60 sign-ins a minute.",
        cause: "The sign-in is the framework's own, and nothing counts in front of it.",
      },
    },
  },
  "The browser is bound": {
    why: "The QR code is public, so its sid proves nothing. The binding cookie is the only thing that tells the browser that shows the code from whoever photographed it.",
    fix: "Whoever asks for a code gets 32 random bytes in a cookie, `HttpOnly; SameSite=Lax; Path=/; Max-Age=600`, on https with `Secure` and the prefix `__Host-`. Store its SHA-256 with the login. Continue a login only for the browser whose cookie matches, and start a new one for everybody else: adopt no sid and no secret that you did not make.",
    checks: {
      "3.1-refresh": {
        requirement: "A browser that names its own login gets a new code of the same login.",
        cause: "Every code starts a login, so that answers to the code before are lost.",
      },
      "3.1-refresh-foreign": {
        requirement: "A browser that names another browser's login gets a login of its own.",
        cause: "The sid alone continues a login, so a thief renews the victim's codes and binds them to himself.",
      },
      "3.1-refresh-authenticated": {
        requirement: "A login that was answered is never asked again: naming it starts another.",
        cause: "A refresh puts an authenticated login back to pending.",
      },
      "4.1-sid-not-adopted": {
        requirement: "A sid that the server did not make is never adopted.",
        cause: "An unknown sid is inserted as it came, so that an attacker can fix a victim's.",
      },
      "4.1-secret-not-adopted": {
        requirement: "A binding secret that the server did not make is never adopted.",
        cause: "A cookie that comes along is kept as the browser's secret, so that a neighbouring host can plant one.",
      },
      "4.1-cookie": {
        requirement: "A code's answer sets a cookie for the whole site, and not for other hosts.",
        cause: "The binding is left out, or the cookie has a `Domain` or a narrow `Path`.",
      },
      "4.1-cookie-httponly": {
        requirement: "The binding cookie is `HttpOnly`: no script reads it.",
        cause: "The page reads the cookie, or the attribute was forgotten.",
      },
      "4.1-cookie-samesite": {
        requirement: "The binding cookie is `SameSite=Lax`: no other site's post carries it, and a link from outside does.",
        cause: "`None`, for a frame; or nothing, which browsers read differently.",
      },
      "4.1-cookie-secure": {
        requirement: "On https the binding cookie is `Secure` and has the prefix `__Host-`; on http it has neither.",
        cause: "The site does not know that it is reached by https, since a proxy ends it.",
      },
      "4.1-cookie-lifetime": {
        requirement: "The binding cookie lasts ten minutes.",
        cause: "The cookie lasts as long as the browser or a year, and with it what a thief of the device can do.",
      },
      "4.1-secret": {
        requirement: "The binding secret has 256 bits, is another for every browser, and stands nowhere but in the cookie.",
        cause: "The cookie holds the sid, its hash, or a short random text.",
      },
    },
  },
  "The order in which a response is judged": {
    why: "In another order strangers learn which keys have accounts, or use up what a real response needs.",
    fix: "Judge content type (415), shape (400), challenge (408), key, signature and intent (406), then the account (404), and stop at the first that fails.",
    checks: {
      "3.2-order-intent": {
        requirement: "The intent is judged before the key's account: an unknown key is not sent to register.",
        cause: "The intent is compared by the statement that spends the challenge, behind the look-up of the user.",
      },
      "3.2-order-content-type": {
        requirement: "A body that is not sent as JSON gets 415, before it is looked at.",
        cause: "The body is parsed whatever its content type says, which lets forms of other sites post.",
      },
      "3.2-order-shape": {
        requirement: "The body's shape is judged first: 400, though the challenge is unknown too.",
        cause: "The challenge is looked up before the body is validated.",
      },
      "3.2-order-challenge": {
        requirement: "The challenge is judged before key and signature: an unknown one gets 408, whoever signed what.",
        cause: "The signature is judged first, or the user is looked up first.",
      },
      "3.2-order-signature": {
        requirement: "The signature is judged before the key's account: a wrong one gets 406, though the key is unknown.",
        cause: "The user is looked up first, so that strangers learn which keys have accounts.",
      },
    },
  },
  "Whose account a response opens": {
    why: "Without this nobody can use the login, or a user has two accounts, or two users one.",
    fix: 'Look the user up by the stored form of the key. Registration makes an account where there is none, and signs the user in where there is one; a login makes none: 404 `user_not_found`. Success is 200 `{"status":"authenticated"}`.',
    checks: {
      "3.2-register": {
        requirement: 'A correct register response gets 200 and `{"status":"authenticated"}`.',
        cause: "Verification, the webhook's path or the account's creation does not work: begin here.",
      },
      "3.2-login": {
        requirement: 'A correct login response by a known key gets 200 and `{"status":"authenticated"}`.',
        cause: "The key is stored in another form than the one that it is looked up by.",
      },
      "3.2-same-user": {
        requirement: "A key signs in the same user at every login, and two keys are two users.",
        cause: "Each response creates an account, or the key is looked up by a part of it.",
      },
      "3.2-register-known-key": {
        requirement: "Registering with a key that has an account signs that user in.",
        cause: "The second registration is a conflict, or makes a second account.",
      },
      "3.2-unknown-key": {
        requirement: "A login by a key without an account gets 404, and makes none.",
        cause: "Login creates accounts as registration does.",
      },
    },
  },
  "The status of a login": {
    why: "The page waits for the status, and anybody who photographed the code can read it too. So it has to be right, and must tell nothing that lets somebody in.",
    fix: "Answer with `status` alone until a wallet was accepted, then also with `user_id` and `redirect`, a path of this site. Unknown sids are 404, a missing one is 400.",
    checks: {
      "3.3-pending": {
        requirement: 'While nobody has answered, the status is `{"status":"pending"}` and nothing else.',
        cause: "The login's row is sent: its challenge, its browser, the user who was here before.",
      },
      "3.3-pending-after-refusals": {
        requirement: "A refused response changes nothing: the status stays pending and names nobody.",
        cause: "The user is written to the login before the signature is judged.",
      },
      "3.3-strangers": {
        requirement: "A stranger who knows the sid reads the status alone, and is given no cookie.",
        cause: "The status endpoint binds or signs in whoever asks.",
      },
      "3.3-unregistered": {
        requirement: "After a login by an unknown key the status is `unregistered`.",
        cause: "The 404 is not recorded, so the page cannot offer to register.",
      },
      "3.3-unregistered-until-refreshed": {
        requirement: "A new code makes an unregistered login pending again.",
        cause: "The status is kept when the code is renewed.",
      },
      "3.3-authenticated": {
        requirement: "Once a wallet was accepted, the status is `authenticated`.",
        cause: "The answer to the wallet and the login's status are written apart.",
      },
      "3.3-user-id": {
        requirement: "An authenticated login names its user with an integer.",
        cause: "The identifier is a text, or the field is called `userId`.",
      },
      "3.3-redirect": {
        requirement: "`redirect` is a path of this site, whatever the caller asked for.",
        cause: "A parameter of the page is passed on without being judged: an open redirect after every login.",
      },
      "3.3-no-sid": {
        requirement: "A question without a sid gets 400.",
        cause: "A missing sid is looked up as `undefined`, or answered as pending.",
      },
      "3.3-unknown-sid": {
        requirement: "An unknown sid gets 404, whatever it looks like.",
        cause: "An unknown login is answered as pending for ever, or a strange sid reaches the database.",
      },
    },
  },
  "The event stream": {
    why: "The stream is a convenience of the page that shows the code. A stranger who may open it holds a connection for nothing.",
    fix: "Compare the binding cookie with the login's before the stream opens, and write the status as it changes. Switch off buffering in proxies.",
    checks: {
      "3.4-own-browser": {
        level: "SHOULD",
        requirement: "The bound browser hears of its login on an event stream: its status at once, and when it changes.",
        cause: "A proxy buffers the stream, or the stream only begins with the first change.",
      },
      "3.4-strangers": {
        requirement: "Nobody but the bound browser gets an event stream of a login.",
        cause: "The stream asks for the sid alone, though it tells more than the status.",
      },
    },
  },
  "A login signs its browser in": {
    why: "Without this nobody gets in, somebody gets another one's account, or the session's cookie can be stolen afterwards.",
    fix: "Take the user from the login that is redeemed, and from nothing that the request says. Give the session a random token of its own, and set its cookie `HttpOnly`, `SameSite=Lax`, and `Secure` on https; redirect to paths of this site alone.",
    checks: {
      "3.5-sign-in": {
        requirement: "The browser that started a login is signed in once a wallet was accepted.",
        cause: "The cookie is not sent back (its path or `Secure` on http), or the page signs in by another way: see --sign-in.",
      },
      "3.5-right-user": {
        requirement: "The user who is signed in is the one whom the status named.",
        cause: "The session is opened for the user of another login, such as the last one.",
      },
      "3.5-callback": {
        requirement: "A sign-in leads to a page of this site, whatever callback the caller names.",
        cause: "NextAuth's `redirect` callback was replaced by one that returns the URL as it came.",
      },
      "3.5-session-cookie": {
        requirement: "The session cookie is `HttpOnly`, `SameSite=Lax` or stricter, and on https `Secure`.",
        cause: "The session's cookie is configured by hand.",
      },
      "3.5-session-token": {
        requirement: "The session cookie holds neither the sid nor the binding secret, nor a hash of one of them.",
        cause: "The login is the session: its sid, or the cookie that bound it, is kept as the token.",
      },
    },
  },
  "Only the bound browser is signed in": {
    why: "Whoever photographs the QR code knows the sid. If the sid is enough, the photograph signs them in as the user who approved it.",
    fix: "In every way to sign in, compare SHA-256 of the request's binding cookie with the hash that is stored with this login, in the statement that redeems it: `… WHERE sid = $1 AND browser_hash = $2`. The cookie is the one that the answer with the code sets, 32 random bytes. No cookie, or another login's, is 401; another site's page is 403, by its `Origin` or `Sec-Fetch-Site`.",
    checks: {
      "3.5-other-site": {
        requirement: "A sign-in that another site's page asks for gets 403 and redeems nothing: its own browser is signed in afterwards.",
        cause: "Nothing but the cookie is looked at, which the pages of a neighbouring host send along.",
      },
      "3.5-attempt-of-a-stranger": {
        requirement: "Whoever knows the sid and the attempt, and has not the cookie, is not signed in.",
        cause: "The attempt is taken for a proof.",
      },
      "4.2-stolen-sid": {
        requirement: "Whoever knows the sid alone is not signed in.",
        cause: "The sign-in looks the login up by its sid and asks for nothing else.",
      },
      "4.2-foreign-cookie": {
        requirement: "A browser with the cookie of a login of its own is not signed in by another one.",
        cause: "The sign-in asks whether there is a cookie, or one of an answered login, and not whether it is this login's.",
      },
      "4.2-guessed-cookie": {
        requirement: "Cookies made from what the code shows sign nobody in.",
        cause: "The cookie holds the sid or a hash of it, or an empty value matches an empty column.",
      },
      "4.2-dashboard": {
        requirement: "A link with the sid signs in nobody but the bound browser.",
        cause: "`/dashboard?sid=` redeems a login for whoever opens it.",
      },
    },
  },
  "Nobody is signed in without a wallet": {
    why: "A login that nobody has approved would open an account: the login would protect nothing.",
    fix: "Redeem a login only where its status is authenticated, in the `WHERE` of the statement that redeems it. Write its user in the transaction that accepts the response, and not before.",
    checks: {
      "3.5-not-before": {
        requirement: "Nobody is signed in by a login that no wallet has answered.",
        cause: "The sign-in asks whether the login exists, and not whether it is authenticated.",
      },
      "3.5-not-refused": {
        requirement: "Nobody is signed in by a login that an unknown key has answered.",
        cause: "The key is kept with the login before it is clear that it has an account.",
      },
    },
  },
  "A lost answer is no lost login": {
    why: "On a phone's network answers get lost. A page that cannot ask again shows an error to a user who did everything right.",
    fix: "Keep the page's `attempt` with the login when it is redeemed. For a minute give the same sid, cookie and attempt the same session again, and every other attempt 401. Without `attempt` nothing changes.",
    checks: {
      "3.5-attempt": {
        level: "SHOULD",
        requirement: "A sign-in whose answer was lost can be repeated with the same `attempt`, and with no other.",
        cause: "The page's `attempt` is ignored, so a lost answer is a lost login.",
      },
    },
  },
  Intents: {
    why: "An intent says that a code adds a key or approves a change. Whoever relays a code could drop it, so that the victim approves a change and believes it is a login.",
    fix: "Store the intent with the challenge. Where a response has the member `intent`, compare it with the stored one, null for none, and answer 406 `intent_mismatch`. Where it has none, judge it as ever. Issue such codes to signed-in browsers alone.",
    checks: {
      "3.6-intent-added": {
        requirement: "At a code without an intent a response that showed one is refused with 406 and spends nothing; null is right.",
        cause: "The field is ignored, so nobody learns that a relay has changed the question; or null is a wrong text.",
      },
      "3.6-intent-dropped": {
        requirement: "At a code with an intent a response that showed none, or another, is refused with 406; its own is right.",
        cause: "Whoever relays a code drops its intent, and the victim's wallet asks whether to sign in.",
      },
      "3.6-intent-untold": {
        requirement: "A response that does not say what it showed is judged as ever, also at a code that has an intent.",
        cause: "The field is required, so that wallets which do not know it cannot approve any more.",
      },
      "3.6-intent-unknown": {
        requirement: "A code with an intent that the site does not know is refused with 400.",
        cause: "The intent is ignored, so a page that asks for an approval signs somebody in instead.",
      },
      "3.6-intent-of-a-stranger": {
        requirement: "Nobody who is not signed in gets a code that adds a key or approves a change.",
        cause: "The intent is read before the browser session is.",
      },
    },
  },
  "A login is redeemed once, for a new session": {
    why: "A login that can be redeemed again is a second key to the account, for whoever copies the cookies later. A session that was there before may be one that an attacker planted.",
    fix: "Redeem in one statement: `UPDATE login SET redeemed_at = now() WHERE sid = $1 AND browser_hash = $2 AND status = 'authenticated' AND redeemed_at IS NULL RETURNING user_id`. No row means 401. Then make a new random session token, whatever cookie came along.",
    checks: {
      "4.2-once": {
        requirement: "A login is redeemed once: the same browser is not signed in by it again.",
        cause: "The login is not ended when it is redeemed.",
      },
      "4.2-once-at-once": {
        requirement: "Of several redemptions at once exactly one opens a session.",
        cause: "The login is read and ended in separate steps.",
      },
      "4.2-new-session": {
        requirement: "Each redemption opens a new session: a token that was there before is not carried on.",
        cause: "The session of before is given a user instead of being replaced (session fixation).",
      },
    },
  },
  "Signing out": {
    why: "At a shared computer the next person would go on as the one before, with a copied token or with a login that still waits.",
    fix: "Keep sessions as rows and delete the row, not only the cookie. In the same transaction end the logins of this browser, whether answered or not, and remove the binding cookie.",
    checks: {
      "4.3-sign-out": {
        requirement: "Signing out ends the browser session: its token is good for nothing afterwards.",
        cause: "Only the cookie is deleted, and the token lives until it expires.",
      },
      "4.3-binding-removed": {
        requirement: "Signing out removes the binding cookie.",
        cause: "Sign-out knows the session's cookie alone.",
      },
      "4.3-pending-ended": {
        requirement: "Signing out ends the browser's logins in progress: a code that still waits gets 408.",
        cause: "The logins of the browser are not looked at when it signs out.",
      },
      "4.3-answered-ended": {
        requirement: "Signing out ends the browser's answered logins too: nobody is signed in by them.",
        cause: "Only logins that wait are ended, so the next person at the browser is signed in by one that was answered.",
      },
    },
  },
} as const satisfies Texts;

export type SiteId = IdOf<typeof SITE_TEXTS>;
