import type { IdOf, Texts } from "../check.ts";
import { SITE_TEXTS } from "./site.ts";

/** What the checks of a fast login require, by what they protect. */
export const FAST_TEXTS = {
  "Contents of a fast code": {
    why: "The wallet signs this URL. If it can be guessed, or has another origin, the signature works for someone else.",
    fix: "Build the URL from your configured origin and the row that was just stored, with 128 random bits each in the sid and the challenge. Do not use the request's headers, and treat an unknown sid as absent.",
    checks: {
      "1.6-sid": {
        requirement: "A sid MUST be a random string, an underscore and Unix seconds: the time at which the login started.",
        cause: "The sid is a UUID, has another separator or milliseconds, or the clock is wrong.",
      },
      "1.6-challenge": {
        requirement: "A challenge MUST be a random string, an underscore and Unix seconds: the time of its issue.",
        cause: "The challenge is a UUID, has another separator or milliseconds, or the clock is wrong.",
      },
      "1.6-sid-random": {
        requirement: "The random string of a sid MUST have 128 bits and MUST NOT repeat.",
        cause: "It comes from `Math.random`, a counter or a hash of the time, or is too short.",
      },
      "1.6-challenge-random": {
        requirement: "The random string of a challenge MUST have 128 bits and MUST NOT repeat.",
        cause: "It comes from `Math.random`, a counter or a hash of the time, or is too short.",
      },
      "1.6-time": {
        requirement: "`t` MUST be the challenge's time in lower-case hex.",
        cause: "It is decimal, in milliseconds, in upper case or has a leading `0x`, or the clock is read twice.",
      },
      "1.6-url": {
        requirement: "The code MUST be this site's own webhook URL with `sid`, `c` and `t`, each once, and no other parameters.",
        cause: "`APP_URL` has another host or scheme than the one that people open, or the path differs. Name it with --webhook.",
      },
      "1.6-url-sid": {
        requirement: "The code MUST contain the `sid` of its answer.",
        cause: "The URL contains an internal identifier.",
      },
      "1.6-url-fixed": {
        requirement: "The code MUST have the site's own origin, whatever `Host` or `X-Forwarded-Host` a request has.",
        cause: "The origin is read from a header that the caller controls, so a poisoned answer sends wallets elsewhere.",
      },
      "6.1-answer": {
        requirement: "The answer MUST be JSON with `qr`, `sid` and the number `status`, which is 0 before the sign-in.",
        cause: "`status` is a string or true, or a field has another name.",
      },
      "6.1-new-login": {
        requirement: "A site MUST start a new login without a `sid`, and for an empty one, `null` and `undefined`.",
        cause: "A script's `null` arrives as a string and is looked up or adopted.",
      },
      "6.1-signed-in": {
        requirement: "A browser that is signed in MUST get `status` 1 and an empty `qr`.",
        cause: "The endpoint does not check the session, so a second login starts.",
      },
      "6.1-intent-unknown": {
        requirement: "A site MUST answer 400 to a request for a code with an unknown intent.",
        cause: "The intent is ignored, so a page that requests an approval signs someone in instead.",
      },
      "6.1-intent-of-a-stranger": {
        requirement: "A site MUST NOT issue a code that adds an address, approves a change or recovers an account to a browser that is not signed in.",
        cause: "The intent is handled before the browser session is checked.",
      },
      "6.1-strange-sids": {
        requirement: "A site MUST answer a malformed `sid` with a new login or a 4xx.",
        cause: "The sid reaches the database without validation.",
      },
    },
  },
  "Headers, errors and limits of a fast login": {
    why: "A cached answer shows one user's login to another. CORS in the wrong place opens your users' data to other sites, and without limits one machine can fill the database.",
    fix: "Set the headers in a place that every answer passes, refusals too: `Cache-Control: no-store`, a new `X-Request-Id`, and CORS only at the webhook. Count requests for the address of the connection, or of a proxy that you run.",
    checks: {
      "6-other-errors": {
        requirement: "Every other refusal MUST be plain text that begins with `Error:`, such as 405, with `Allow`, or a missing sid.",
        cause: "The framework's own answer has no body or is HTML.",
      },
      "6-no-store": {
        requirement: "Every answer of a fast login MUST have `Cache-Control: no-store`, refusals too.",
        cause: "The framework's default lets a proxy cache codes and statuses.",
      },
      "6-request-id": {
        requirement: "Every answer of a fast login MUST have a different `X-Request-Id`.",
        cause: "Only successful answers have it, or it is created once per process.",
      },
      "6-cors-wallets": {
        requirement: "Answers to wallets MUST have `Access-Control-Allow-Origin: *`, refusals too, and MUST NOT allow credentials.",
        cause: "The header is set only on success, so a wallet in a browser cannot read why it was refused.",
      },
      "6-cors-preflight": {
        requirement: "The webhook's preflight MUST allow POST and `Content-Type`.",
        cause: "The framework answers OPTIONS without these headers.",
      },
      "6-cors-elsewhere": {
        requirement: "Other origins MUST NOT be able to read the code or the status.",
        cause: "CORS is enabled for the whole site, so any page can read codes and statuses.",
      },
      "6-limit-headers": {
        requirement: "Answers of the code, the status and the webhook MUST have `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`.",
        cause: "Only the limiter's refusal sets the headers.",
      },
      "6-codes-limited": {
        requirement: "A site MUST refuse more than 120 fast codes a minute for one client address, whatever addresses its headers claim.",
        cause: "Requests are not counted, or clients are distinguished by a header that the client writes.",
      },
      "6-responses-limited": {
        requirement: "A site MUST refuse more than 120 fast responses a minute from one client address, whatever addresses its headers claim.",
        cause: "Only pages are limited, so the number of signature attempts is unlimited.",
      },
      "6-sign-ins-limited": {
        requirement: "A site MUST refuse more than 60 failed sign-ins a minute at the dashboard from one client address.",
        cause: "Only the login's endpoints are limited, not the page that redeems the login.",
      },
    },
  },
  "The browser of a fast login is bound": {
    why: SITE_TEXTS["The browser is bound"].why,
    fix: "Set a cookie with 32 random bytes in the answer to each request for a code: `HttpOnly; SameSite=Lax; Path=/; Max-Age=600`, on https with `Secure` and the prefix `__Host-`. Store its SHA-256 with the login. Continue a login only if the cookie matches, and start a new one otherwise.",
    checks: {
      "6.1-refresh": {
        requirement: "A browser that sends its own login's sid MUST get a new challenge for the same login.",
        cause: "Every code starts a new login, so responses to the previous code are lost, or the challenge stays the same.",
      },
      "6.1-refresh-foreign": {
        requirement: "A browser that sends another browser's sid MUST get a new login.",
        cause: "The sid is enough to continue a login, so a thief can renew the victim's codes and bind them to his own browser.",
      },
      "6.1-sid-not-adopted": {
        requirement: "A site MUST NOT adopt a sid that it did not create.",
        cause: "An unknown sid is inserted, so an attacker can choose a victim's sid in advance.",
      },
      "6.1-secret-not-adopted": {
        requirement: "A site MUST NOT adopt a binding secret that it did not create.",
        cause: "Any cookie that a browser sends becomes its secret, so a neighbouring host can plant one.",
      },
      "6.1-answered": {
        requirement: "An answered login MUST NOT get a new code: `status` is 1 and `qr` is empty.",
        cause: "A refresh resets an answered login, or adds challenges to it.",
      },
      "6.1-answered-foreign": {
        requirement: "Another browser that sends an answered login's sid MUST get its own code and MUST NOT get `status` 1.",
        cause: "`status` 1 depends only on the sid, and the page then opens the dashboard.",
      },
      "6.1-cookie": {
        requirement: "The answer with a code MUST set a cookie with `Path=/` and without a `Domain`.",
        cause: "The binding is missing, as in the specification's short form, or the cookie has a `Domain` or a narrower `Path`.",
      },
      "6.1-cookie-httponly": {
        requirement: "The fast login's binding cookie MUST be `HttpOnly`.",
        cause: "The page reads the cookie, or the attribute was forgotten.",
      },
      "6.1-cookie-samesite": {
        requirement: "The fast login's binding cookie MUST be `SameSite=Lax`.",
        cause: "It is `None` because of a frame, or missing, which browsers interpret differently.",
      },
      "6.1-cookie-secure": {
        requirement: "On https the fast login's binding cookie MUST be `Secure` and have the prefix `__Host-`; on http it MUST have neither.",
        cause: "A proxy terminates https, so the site does not know about it.",
      },
      "6.1-cookie-lifetime": {
        requirement: "The fast login's binding cookie MUST last ten minutes.",
        cause: "The cookie lasts for the browser session or a year, which also gives a thief of the device more time.",
      },
      "6.1-secret": {
        requirement: "The binding secret MUST have 256 bits, MUST differ for every browser, and MUST NOT appear outside the cookie.",
        cause: "The cookie contains the sid, its hash, or a short random string.",
      },
    },
  },
  "A fast challenge lives two minutes, among four": {
    why: SITE_TEXTS["A challenge lives 30 seconds"].why,
    fix: "Store the last four challenges of a login, each with its time of issue. Delete older ones in the statement that adds a challenge, and check the time in the statement that spends one.",
    checks: {
      "6.1-refresh-keeps": {
        requirement: "A new challenge MUST NOT end the previous ones: the fourth-newest still signs in.",
        cause: "A login has one challenge, and every refresh overwrites it.",
      },
      "6.1-last-four": {
        requirement: "A site MUST keep only the last four challenges of a login: the fifth-newest is refused.",
        cause: "The list is never shortened, or is one entry too long.",
      },
      "6.1-last-four-at-once": {
        requirement: "Of simultaneously requested challenges, a site MUST also accept only four.",
        cause: "The list is read, extended and written in separate steps.",
      },
      "6.1-slow-lives": {
        level: "SHOULD",
        requirement: "A challenge SHOULD be valid for a minute and a half, because a page renews it every 30 seconds and keeps four.",
        cause: "The site uses the 30 seconds of the other logins.",
      },
      "6.1-slow-expired": {
        requirement: "A site MUST refuse a challenge that is older than two minutes, even if its login is still alive.",
        cause: "Expiry is left to a clean-up job, or only the number of challenges is limited.",
      },
    },
  },
  "A fast challenge succeeds once": {
    why: SITE_TEXTS["A challenge succeeds once"].why,
    fix: "Use one statement that finds the challenge, spends it and answers its login, but only if the login is still unanswered. If it returns no row, answer 400 `no challenge found`. If you read first and mark the challenge later, two responses can succeed.",
    checks: {
      "6.2-at-once": {
        requirement: "A site MUST accept exactly one of many simultaneous responses to a challenge and answer 400 to the others.",
        cause: "The challenge is read, checked and marked as used in separate steps, so the sequence is not atomic.",
      },
      "6.2-at-once-two-codes": {
        requirement: "A site MUST accept exactly one of several simultaneous responses to two codes of one login.",
        cause: "The challenge is locked but the login is not, so the second address replaces the first.",
      },
      "6.2-single-use": {
        requirement: "A site MUST refuse a challenge that has succeeded, from the same wallet or another.",
        cause: "Challenges stay in the list after they were used.",
      },
      "6.2-answered-is-final": {
        requirement: "After a login is answered, a site MUST NOT let another of its challenges replace the address.",
        cause: "Older challenges of a login stay valid after one of them has succeeded.",
      },
    },
  },
  "A refused fast response does not spend the challenge": {
    why: SITE_TEXTS["Only success spends a challenge"].why,
    fix: "Verify the signature first, and spend the challenge in the transaction that answers the login.",
    checks: {
      "6.2-refused-is-not-spent": {
        requirement: "A response with a wrong signature MUST NOT spend the challenge: the right wallet can still use it.",
        cause: "The challenge is deleted when it is found, before the signature is verified.",
      },
    },
  },
  "A fast challenge is found whole, in its own login": {
    why: "The challenges of a login are often stored as one string. A search in it with `includes` or `LIKE` accepts a part of a challenge, or several together.",
    fix: "Store each challenge as a row or as a list element of its login, and compare whole strings.",
    checks: {
      "6.2-challenge-part": {
        requirement: "A site MUST refuse a part of a challenge.",
        cause: "The list is one string, and the challenge is searched in it with `includes` or LIKE.",
      },
      "6.2-challenge-joined": {
        requirement: "A site MUST refuse two valid challenges that are joined with a comma, as in the stored list.",
        cause: "The list is one string, and the challenge is searched in it with `includes` or LIKE.",
      },
      "6.2-challenge-exact": {
        requirement: "A site MUST find a challenge by its exact text and refuse any variation.",
        cause: "The text is trimmed, compared without case, or matched with a pattern.",
      },
      "6.2-challenge-unknown": {
        requirement: "A site MUST refuse a missing challenge and one that it never issued, even if it is well-formed.",
        cause: "Only the challenge's form and time are checked, or an empty string is found in every text.",
      },
      "6.2-challenge-other-login": {
        requirement: "A site MUST accept a challenge only in its own login.",
        cause: "The lookup does not use the sid, so a thief can answer his own login with a victim's code.",
      },
      "6.2-one-login-alone": {
        requirement: "A response MUST answer only the login whose code it signs.",
        cause: "The address is stored for the browser, the client's address, or the most recent login.",
      },
    },
  },
  "The message is the code's own URL": {
    why: "People sign messages for many reasons. A site that accepts any signed text lets the signature of a forum post sign in.",
    fix: "Require that `msg` equals the issued URL: your origin and path, and the `sid`, `c` and `t` of the request. Then verify the signature over it.",
    checks: {
      "6.2-message-elsewhere": {
        requirement: "A site MUST refuse a text that was signed for another purpose.",
        cause: "The signature is verified over any `msg`, and `msg` is not compared with anything.",
      },
      "6.2-message-origin": {
        requirement: "A site MUST refuse a code of another origin, even with the same path and query.",
        cause: "Only the query of `msg` is compared, so a phishing site can pass on what its visitors sign for it.",
      },
      "6.2-message-path": {
        requirement: "A site MUST refuse a URL on its own origin with another path.",
        cause: "Only the origin and the query are compared.",
      },
      "6.2-message-sid": {
        requirement: "`msg` MUST contain the sid of the request, so that a signed code answers only its own login.",
        cause: "The challenge in `msg` is compared, but not the sid.",
      },
      "6.2-message-challenge": {
        requirement: "`msg` MUST contain the challenge of the request, so that an older message does not answer a newer code.",
        cause: "The site checks that `msg` is one of the login's codes, but not that it is this one.",
      },
      "6.2-message-time": {
        requirement: "`msg` MUST contain the `t` of the request.",
        cause: "`t` is not compared.",
      },
      "6.2-message-time-issued": {
        level: "SHOULD",
        requirement: "A site SHOULD refuse a `t` that it did not issue, even if the message and the request agree on it.",
        cause: "The message and the request are compared only with each other.",
      },
      "6.2-message-whole": {
        requirement: "`msg` MUST be the whole QR URL, without missing or additional text.",
        cause: "The comparison uses `includes`, `startsWith` or `endsWith` instead of `===`, or parses both and drops the rest.",
      },
      "6.2-message-letter": {
        requirement: "`msg` MUST equal the QR URL character for character: another order or letter case is another message.",
        cause: "Both are parsed or converted to lower case before the comparison.",
      },
    },
  },
  "Bitcoin signatures": {
    why: "The signature is the only proof of who the user is. If the parser is lenient, someone else may be able to produce it. If it is too strict, it refuses common wallets.",
    fix: "Decode exactly 65 bytes of base64 and recover the key over the message's double SHA-256. Derive the address of the kind that the header byte means, and compare it with the one that was sent. Accept the header bytes of BIP-137 and of Electrum.",
    checks: {
      "6.2-p2pkh": {
        requirement: "A site MUST accept a P2PKH address, with a compressed key and with an uncompressed one.",
        cause: "The address is derived only from the compressed key, or header bytes 27 to 30 are refused.",
      },
      "6.2-p2sh-p2wpkh": {
        requirement: "A site MUST accept a P2SH-P2WPKH address with BIP-137's header bytes.",
        cause: "The library compares the hash of the key instead of the hash of the redeem script.",
      },
      "6.2-p2wpkh": {
        requirement: "A site MUST accept a P2WPKH address with BIP-137's header bytes.",
        cause: "Only Base58 addresses are supported.",
      },
      "6.2-electrum": {
        requirement: "A site MUST accept Electrum's signatures, which have header bytes 31 to 34 for segwit addresses too.",
        cause: "The header byte decides the kind of address. bitcoinjs-message needs `checkSegwitAlways` for these.",
      },
      "6.2-signature-forms": {
        requirement: "A site MUST accept every valid signature: low or high s, and r and s with leading zeros.",
        cause: "The library rejects a high s, or r and s are written without their leading zeros.",
      },
      "6.2-pubk-optional": {
        requirement: "A site MUST accept a `pubk` that is absent, empty or in upper case.",
        cause: "The field is required, or compared as it was sent.",
      },
      "6.2-header": {
        requirement: "A site MUST refuse a header byte outside 27 to 42.",
        cause: "The header is reduced, as in `(header - 27) & 3`, without a check.",
      },
      "6.2-header-kind": {
        requirement: "A site MUST accept a BIP-137 header only for its own kind of address.",
        cause: "The recovered key is compared with the hash in the address, but the header's kind is not.",
      },
      "6.2-signature-other": {
        requirement: "A site MUST refuse a signature by another address or over another message.",
        cause: "The result of the verification is not used, or an exception counts as success.",
      },
      "6.2-signature-zero": {
        requirement: "A site MUST refuse a signature of zeros, or of numbers above the curve's order.",
        cause: "The point at infinity is accepted, or an exception becomes a 500.",
      },
      "6.2-signature-length": {
        requirement: "A site MUST refuse a signature that does not have exactly 65 bytes.",
        cause: "The bytes are read at fixed offsets, and further ones are ignored.",
      },
      "6.2-signature-base64": {
        requirement: "A signature MUST be padded base64 without any other characters.",
        cause: "Node's decoder skips unknown characters, so one signature has many spellings.",
      },
      "6.2-pubk": {
        requirement: "A site MUST refuse a `pubk` that is not the key that signed.",
        cause: "The field is ignored, or stored without validation.",
      },
    },
  },
  "Bitcoin addresses": {
    why: "An address is the account. Two spellings would be two users, and an address of another network is one that the user did not mean.",
    fix: "Decode the address with its checksum, check its network and kind, and store one spelling. Compare the whole address, not only the hash in it.",
    checks: {
      "6.2-address-network": {
        requirement: "A site MUST refuse segwit addresses of other networks, even if they belong to the key that signs.",
        cause: "The hash in the address is compared, but not its version byte or prefix, as in bitcoinjs-message.",
      },
      "6.2-address-version": {
        requirement: "A site MUST refuse Base58 addresses of other networks, even if they belong to the key that signs.",
        cause: "The hash in the address is compared, but not its version byte, as in bitcoinjs-message.",
      },
      "6.2-address-checksum": {
        requirement: "A site MUST refuse an address with a wrong checksum.",
        cause: "The hash is cut out of the address, and its checksum is not computed.",
      },
      "6.2-address-kind": {
        requirement: "A site MUST refuse other kinds of address: Taproot, P2WSH, and P2SH of anything but the key's own witness program.",
        cause: "Every address that contains the key's hash is accepted, whatever its kind is.",
      },
      "6.2-address-form": {
        requirement: "A site MUST refuse an address with white space, mixed letter case, or other text around it.",
        cause: "The address is trimmed or converted to lower case, so one address can be two users.",
      },
      "6.2-one-address-one-user": {
        requirement: "A site MUST accept a P2WPKH address in upper case as the same user.",
        cause: "The address is stored and compared as it was sent.",
      },
    },
  },
  "Transport of a fast response": {
    why: "Wallets send the response in several ways, and anyone can send anything. Input that is not refused early causes failures in other components.",
    fix: "Read forms, multipart, JSON in `data`, and queries in one place that limits size and time and accepts only strings. Answer in plain text with the words of the status, without messages of a library.",
    checks: {
      "6.2-json": {
        requirement: "A site MUST accept a response as JSON in the object `data`, with or without `pubk`.",
        cause: "The fields are expected at the top level, or `pubk` is required.",
      },
      "6.2-json-any-type": {
        requirement: "If the form has no `msg`, a site MUST read the body as JSON, whatever the content type is.",
        cause: "The framework's parser only uses the content type.",
      },
      "6.2-multipart": {
        requirement: "A site MUST accept a response as a multipart form.",
        cause: "Only urlencoded forms are supported.",
      },
      "6.2-get": {
        requirement: "A site MUST accept a response in the query of a GET.",
        cause: "The webhook answers only POST.",
      },
      "6.2-get-page": {
        level: "SHOULD",
        requirement: "A site SHOULD answer a browser that opens a code with a page that explains it, without signing anyone in.",
        cause: "A phone's own camera opens the code and gets an error.",
      },
      "6.2-query-fields": {
        requirement: "A site MUST use only the body of a POST and ignore such fields in its query.",
        cause: "Query and body are merged, so a link can carry half of a response.",
      },
      "6.2-query-twice": {
        requirement: "A site MUST refuse a query with a repeated challenge or sid.",
        cause: "One of the two values is looked up, and the other is compared with the message.",
      },
      "6.2-body-json": {
        requirement: "A site MUST refuse a body that is neither a form nor JSON with `data`.",
        cause: "The exception of `JSON.parse` is not caught, or `null` is used as an object.",
      },
      "6.2-body-types": {
        requirement: "A site MUST refuse fields that are not strings.",
        cause: "A string method is called on a number, or an object reaches the database's query.",
      },
      "6.2-body-text": {
        requirement: "A site MUST refuse invalid UTF-8, NUL, lone surrogates and deep nesting.",
        cause: "The text reaches a recursive parser, or the database, which cannot store it.",
      },
      "6.2-body-size": {
        requirement: "A site MUST answer 413 to a body over 64 KB.",
        cause: "The framework's default is a megabyte, or only `Content-Length` is checked.",
      },
      "6.2-stalled-body": {
        level: "SHOULD",
        requirement: "A site SHOULD answer 4xx after ten seconds if a body does not arrive completely.",
        cause: "A stalled request never times out, so a few idle connections use up the server.",
      },
      "6.2-words": {
        requirement: "Answers MUST be plain text that begins with the words of their status: authenticated 200, no challenge 400, not verified 401.",
        cause: "The framework answers in JSON or HTML by default, or every refusal has the same text.",
      },
      "6.2-server-fault": {
        requirement: "A site MUST NOT answer 5xx to any request of this run.",
        cause: "A library throws for malformed input, and the exception is not caught. The exchange shows the input.",
      },
      "6.2-tells-nothing-inner": {
        requirement: "An answer MUST NOT contain a stack trace, SQL, a path of the server, or a library's exception.",
        cause: "The exception's message follows `Error:`, as the specification's short form suggests.",
      },
    },
  },
  "Status of a fast login": {
    why: SITE_TEXTS["Status of a login"].why,
    fix: "Answer with only `sid` and the number `status`, 0 or 1. The status of an unknown sid is 0.",
    checks: {
      "6.3-waiting": {
        requirement: "Before a wallet has answered, the answer MUST have the sid and the number 0 as `status`.",
        cause: "The status is a string, false or missing.",
      },
      "6.3-answered": {
        requirement: "After an accepted response, the status MUST be the number 1 for every caller who knows the sid.",
        cause: "The answer to the wallet and the login's address are written separately.",
      },
      "6.3-refused": {
        requirement: "A refused response MUST leave the status at 0.",
        cause: "The address is written to the login before the signature is verified.",
      },
      "6.3-tells-no-more": {
        requirement: "The answer MUST have only `sid` and `status`, before and after the sign-in, and MUST NOT set a cookie.",
        cause: "The login's row is sent, with its address, challenges and browser, or the endpoint binds its caller.",
      },
      "6.3-unknown": {
        requirement: "The status of an unknown sid MUST be 0, whatever it looks like.",
        cause: "An unknown login is an error or counts as answered, or a malformed sid reaches the database.",
      },
    },
  },
  "A fast login signs its browser in": {
    why: SITE_TEXTS["A login signs its browser in"].why,
    fix: "At `/dashboard?sid=`, redeem the login, set a new session cookie (`HttpOnly`, `SameSite=Lax`, on https `Secure`), and redirect to a path of this site, with `Cache-Control: no-store`.",
    checks: {
      "6.4-sign-in": {
        requirement: "The browser that started a login MUST be signed in with plain redirects after a wallet has answered.",
        cause: "The cookie is not sent back because of its path or `Secure` on http, or the sign-in needs a script. See --dashboard.",
      },
      "6.4-right-user": {
        requirement: "The signed-in user MUST be the holder of the address: the same address is the same user, another address another user.",
        cause: "The session is opened for the user of another login, such as the most recent one, or for a new user each time.",
      },
      "6.4-redirects": {
        requirement: "Every redirect MUST stay on this site, whatever page a parameter contains.",
        cause: "A parameter of the page is passed on without validation, which is an open redirect after every login.",
      },
      "6.4-new-session": {
        requirement: "Each sign-in MUST open a new session and MUST NOT keep a planted token.",
        cause: "The existing session gets a user instead of being replaced (session fixation).",
      },
      "6.4-no-store": {
        requirement: "The answer that signs in and the pages of a signed-in user MUST have `Cache-Control: no-store`.",
        cause: "A redirect or the dashboard can be cached, so the next browser behind the same cache gets it.",
      },
      "6.4-session-cookie": {
        requirement: "The session cookie MUST be `HttpOnly`, `SameSite=Lax` or stricter, and on https `Secure`.",
        cause: "The redirect sets its own cookie in addition to the framework's.",
      },
    },
  },
  "Only the bound browser is signed in with a fast login, once": {
    why: "`/dashboard?sid=` is a link, and anyone who photographs the QR code knows the sid. If the sid is enough, the photo signs them in.",
    fix: "Redeem with one statement: `UPDATE login SET redeemed_at = now() WHERE sid = $1 AND browser_hash = $2 AND address IS NOT NULL AND redeemed_at IS NULL RETURNING address`, with SHA-256 of the binding cookie as `$2`. If it returns no row, do not sign anyone in and do not change anything. Signing out ends the browser's other logins.",
    checks: {
      "6.4-not-before": {
        requirement: "A login that no wallet has answered, or only with a refused response, MUST NOT sign anyone in.",
        cause: "The sign-in checks that the login exists, not that it has an address.",
      },
      "6.4-stolen-sid": {
        requirement: "A caller who knows only the sid MUST NOT be signed in.",
        cause: "`/dashboard?sid=` signs in any browser that opens it, as the specification's short form suggests.",
      },
      "6.4-foreign-cookie": {
        requirement: "A browser with its own login's cookie MUST NOT be signed in with another login.",
        cause: "The sign-in checks that there is a cookie, or one of an answered login, but not that it belongs to this login.",
      },
      "6.4-guessed-cookie": {
        requirement: "A cookie that is derived from the code MUST NOT sign anyone in.",
        cause: "The cookie contains the sid or a hash of it, or an empty value matches an empty column.",
      },
      "6.4-thief-spends-nothing": {
        level: "SHOULD",
        requirement: "A stranger's attempt SHOULD NOT end the login for the browser that started it.",
        cause: "The login is ended before its browser is compared, so anyone who sees a code can lock its owner out.",
      },
      "6.4-once": {
        requirement: "A login MUST sign in once: it MUST NOT sign in the same browser, or a copy of its cookies, again.",
        cause: "Redeeming does not end the login, so the address stays attached to it.",
      },
      "6.4-once-at-once": {
        requirement: "Exactly one of several simultaneous redemptions MUST open a session.",
        cause: "The login is read and ended in separate steps.",
      },
      "6.4-signed-out": {
        requirement: "Signing out MUST end the browser's other fast logins, answered or not.",
        cause: "Sign-out ends only the redeemed login, so another one signs in the next person at the browser.",
      },
      "6.4-strange-sids": {
        requirement: "A malformed `sid` at the dashboard MUST NOT sign anyone in or cause an error.",
        cause: "The sid is passed to the database or a redirect without validation.",
      },
    },
  },
} as const satisfies Texts;

export type FastId = IdOf<typeof FAST_TEXTS>;
