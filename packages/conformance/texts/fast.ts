import type { IdOf, Texts } from "../check.ts";

/** What the checks of a fast login require, by what they guard. */
export const FAST_TEXTS = {
  "What a fast code carries": {
    why: "The URL is what a wallet signs. One that can be guessed, or that names another origin, is signed for somebody else.",
    fix: "Build it from your configured origin and the row that was just stored, with 128 random bits in sid and challenge. Take nothing from the request's headers, and treat a sid that you do not know as none.",
    checks: {
      "1.6-sid": {
        requirement: "A sid is a random string, an underscore and Unix seconds: the time when the login was started.",
        cause: "A UUID, another separator, milliseconds, or a clock that is wrong.",
      },
      "1.6-challenge": {
        requirement: "A challenge is a random string, an underscore and Unix seconds: the time when it was issued.",
        cause: "A UUID, another separator, milliseconds, or a clock that is wrong.",
      },
      "1.6-sid-random": {
        requirement: "Nobody can guess a sid: its random string has 128 bits, and none comes twice.",
        cause: "`Math.random`, a counter, a hash of the time, or a text that is too short.",
      },
      "1.6-challenge-random": {
        requirement: "Nobody can guess a challenge: its random string has 128 bits, and none comes twice.",
        cause: "`Math.random`, a counter, a hash of the time, or a text that is too short.",
      },
      "1.6-time": {
        requirement: "`t` is the challenge's own time in hex, lower case.",
        cause: "Decimal, milliseconds, upper case or a leading `0x`; or the clock is read twice.",
      },
      "1.6-url": {
        requirement: "The code is this site's own webhook with `sid`, `c` and `t`, each once, and with nothing else.",
        cause: "`APP_URL` names another host or scheme than people open; or another path, which --webhook names.",
      },
      "1.6-url-sid": {
        requirement: "The code names the `sid` of its answer.",
        cause: "An internal identifier is put into the URL.",
      },
      "1.6-url-fixed": {
        requirement: "The code leads to the site's own origin, whatever `Host` or `X-Forwarded-Host` a request names.",
        cause: "The origin is read from a header that the caller writes, so a poisoned answer leads wallets elsewhere.",
      },
      "6.1-answer": {
        requirement: "The answer is JSON with `qr`, `sid` and the number `status`, which is 0 while nobody has signed in.",
        cause: "`status` is a text or true, or a field has another name.",
      },
      "6.1-new-login": {
        requirement: "Without a `sid`, and with an empty one, `null` or `undefined`, a new login starts.",
        cause: "A script's `null` arrives as a text and is looked up, or adopted.",
      },
      "6.1-signed-in": {
        requirement: "A browser that is signed in gets `status` 1 and no code.",
        cause: "The code's endpoint does not look at the session, so a second login runs beside the first.",
      },
      "6.1-intent-unknown": {
        requirement: "A code with an intent that the site does not know is refused with 400.",
        cause: "The intent is ignored, so a page that asks for an approval signs somebody in instead.",
      },
      "6.1-intent-of-a-stranger": {
        requirement: "Nobody who is not signed in gets a code that adds an address, approves a change or recovers an account.",
        cause: "The intent is read before the browser session is.",
      },
      "6.1-strange-sids": {
        requirement: "A strange `sid` gets a new login or a 4xx, and breaks nothing.",
        cause: "The sid reaches the database as it came.",
      },
    },
  },
  "Headers, errors and limits of a fast login": {
    why: "A cached answer shows one user's login to another, CORS in the wrong place opens your users' data to other sites, and without limits one machine fills the database.",
    fix: "Set the headers where all answers pass, refusals too: `Cache-Control: no-store`, a new `X-Request-Id`, and CORS at the webhook alone. Count by the connection's address, or by a proxy's that you run.",
    checks: {
      "6-other-errors": {
        requirement: "Every other refusal is plain text that begins with `Error:`: a wrong method, which names `Allow`, and no sid.",
        cause: "The framework's own answer has no body, or is HTML.",
      },
      "6-no-store": {
        requirement: "No answer of a fast login may be stored: each says `Cache-Control: no-store`, refusals too.",
        cause: "The framework's default lets a proxy keep codes and statuses.",
      },
      "6-request-id": {
        requirement: "Every answer of a fast login carries an `X-Request-Id` of its own.",
        cause: "Only successful answers carry it, or it is made once a process.",
      },
      "6-cors-wallets": {
        requirement: "Any origin may read the answer to a wallet, refusals too: `Access-Control-Allow-Origin: *`, without credentials.",
        cause: "The header is set where the handler succeeds, so a wallet in a browser cannot read why it was refused.",
      },
      "6-cors-preflight": {
        requirement: "A wallet in a browser may post JSON: the preflight allows POST and `Content-Type`.",
        cause: "OPTIONS is answered by the framework, without the headers.",
      },
      "6-cors-elsewhere": {
        requirement: "No other path of a fast login lets another origin read it: neither code nor status.",
        cause: "CORS is switched on for the whole site, so that any page reads codes and statuses.",
      },
      "6-limit-headers": {
        requirement: "Code, status and webhook say what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`.",
        cause: "The headers are set by the limiter's refusal alone.",
      },
      "6-codes-limited": {
        requirement: "One address gets at most 120 fast codes a minute, whatever addresses it claims.",
        cause: "Nothing counts, or the client is told apart by a header that the client writes.",
      },
      "6-responses-limited": {
        requirement: "One address sends at most 120 fast responses a minute, whatever addresses it claims.",
        cause: "Only pages are limited, so signatures can be tried without end.",
      },
      "6-sign-ins-limited": {
        requirement: "One address fails at most 60 sign-ins a minute at the dashboard.",
        cause: "Only the endpoints of the login are limited, and the page that redeems it is not.",
      },
    },
  },
  "The browser of a fast login is bound": {
    why: "The code is public, so its sid proves nothing. The binding cookie is the only thing that tells the browser that shows the code from whoever photographed it.",
    fix: "Whoever asks for a code gets 32 random bytes in a cookie, `HttpOnly; SameSite=Lax; Path=/; Max-Age=600`, on https with `Secure` and the prefix `__Host-`. Store its SHA-256 with the login. Continue a login only where it matches, and start a new one for everybody else.",
    checks: {
      "6.1-refresh": {
        requirement: "A browser that names its own login gets a new challenge of the same login.",
        cause: "Every code starts a login, so that answers to the code before are lost; or the challenge is kept.",
      },
      "6.1-refresh-foreign": {
        requirement: "A browser that names another browser's login gets a login of its own.",
        cause: "The sid alone continues a login, so a thief renews the victim's codes and binds them to himself.",
      },
      "6.1-sid-not-adopted": {
        requirement: "A sid that the server did not make is never adopted.",
        cause: "An unknown sid is inserted as it came, so that an attacker can fix a victim's.",
      },
      "6.1-secret-not-adopted": {
        requirement: "A binding secret that the server did not make is never adopted.",
        cause: "A cookie that comes along is kept as the browser's secret, so that a neighbouring host can plant one.",
      },
      "6.1-answered": {
        requirement: "A login that was answered gets no new code: `status` is 1, and `qr` is empty.",
        cause: "A refresh puts an answered login back to waiting, or adds challenges to it.",
      },
      "6.1-answered-foreign": {
        requirement: "A stranger who names an answered login is not told that it is his: he gets a code of his own.",
        cause: "`status` 1 is given for the sid alone, and the page then goes to the dashboard.",
      },
      "6.1-cookie": {
        requirement: "A code's answer sets a cookie for the whole site, and not for other hosts.",
        cause: "The binding is left out, as in the specification's short form; or it has a `Domain` or a narrow `Path`.",
      },
      "6.1-cookie-httponly": {
        requirement: "The fast login's binding cookie is `HttpOnly`: no script reads it.",
        cause: "The page reads the cookie, or the attribute was forgotten.",
      },
      "6.1-cookie-samesite": {
        requirement: "The fast login's binding cookie is `SameSite=Lax`.",
        cause: "`None`, for a frame; or nothing, which browsers read differently.",
      },
      "6.1-cookie-secure": {
        requirement: "On https the fast login's binding cookie is `Secure` and has the prefix `__Host-`; on http it has neither.",
        cause: "The site does not know that it is reached by https, since a proxy ends it.",
      },
      "6.1-cookie-lifetime": {
        requirement: "The fast login's binding cookie lasts ten minutes.",
        cause: "The cookie lasts as long as the browser or a year, and with it what a thief of the device can do.",
      },
      "6.1-secret": {
        requirement: "The binding secret has 256 bits, is another for every browser, and stands nowhere but in the cookie.",
        cause: "The cookie holds the sid, its hash, or a short random text.",
      },
    },
  },
  "A fast challenge lives two minutes, among four": {
    why: "An old photograph must be worth nothing. And who scans while the page shows the next code must not be turned away.",
    fix: "Keep the last four challenges of a login, each with its own time of issue. Delete older ones in the statement that adds one, and look at the time in the statement that spends.",
    checks: {
      "6.1-refresh-keeps": {
        requirement: "A new challenge does not end the ones before it: the fourth-newest still signs in.",
        cause: "A login holds one challenge, which every refresh overwrites.",
      },
      "6.1-last-four": {
        requirement: "Only the last four challenges of a login are kept: the fifth-newest is not found.",
        cause: "The list is never cut, or one too late.",
      },
      "6.1-last-four-at-once": {
        requirement: "Of challenges that are asked for at once, only four are good as well.",
        cause: "The list is read, appended to and written in separate steps.",
      },
      "6.1-slow-lives": {
        level: "SHOULD",
        requirement: "A challenge is good for a minute and a half: a page renews it every 30 seconds, and keeps four.",
        cause: "The 30 seconds of the other logins.",
      },
      "6.1-slow-expired": {
        requirement: "A challenge that is older than two minutes is not found, though its login goes on.",
        cause: "Expiry is left to a clean-up job, or only the number of challenges is limited.",
      },
    },
  },
  "A fast challenge succeeds once": {
    why: "Whoever records a response, or sends it twice at the same moment, signs in again, or puts another address in the user's place.",
    fix: "Let one statement find the challenge, spend it and answer its login, and only where the login is still unanswered. No row means 400 `no challenge found`. Reading first and marking later lets two through.",
    checks: {
      "6.2-at-once": {
        requirement: "Of many responses to one challenge at once exactly one gets 200, and the others get 400.",
        cause: "The challenge is read, judged and marked as used in separate steps, with nothing atomic between them.",
      },
      "6.2-at-once-two-codes": {
        requirement: "Of responses to two codes of one login at once exactly one gets 200.",
        cause: "The challenge is locked and the login is not, so that the second address replaces the first.",
      },
      "6.2-single-use": {
        requirement: "A challenge that has signed in is not found again, by the same wallet or by any other.",
        cause: "Challenges stay in the list after they were used.",
      },
      "6.2-answered-is-final": {
        requirement: "Once a login is answered, no other challenge of it can put another address in its place.",
        cause: "The older challenges of a login stay alive after one of them has succeeded.",
      },
    },
  },
  "A refused fast response spends nothing": {
    why: "The code is public. If a wrong response used it up, anybody who sees it could keep its user out.",
    fix: "Verify the signature first, and spend the challenge in the transaction that answers the login.",
    checks: {
      "6.2-refused-is-not-spent": {
        requirement: "A response with a wrong signature leaves the challenge to the wallet that answers it rightly.",
        cause: "The challenge is deleted when it is found, before the signature is judged.",
      },
    },
  },
  "A fast challenge is found whole, in its own login": {
    why: "The challenges of a login are often kept as one text. Whoever searches it with `includes` or `LIKE` accepts a part, or several at once.",
    fix: "Keep each challenge as a row or a list element of its login, and compare whole texts.",
    checks: {
      "6.2-challenge-part": {
        requirement: "A part of a challenge is not found.",
        cause: "The list is one text, and `includes` or LIKE looks for the challenge in it.",
      },
      "6.2-challenge-joined": {
        requirement: "Two live challenges joined by a comma, as the list keeps them, are not found.",
        cause: "The list is one text, and `includes` or LIKE looks for the challenge in it.",
      },
      "6.2-challenge-exact": {
        requirement: "A challenge is found by its exact text: nothing that is nearly the same is.",
        cause: "The text is trimmed or compared without case, or looked for by a pattern.",
      },
      "6.2-challenge-unknown": {
        requirement: "A challenge that the site never issued, or none, is not found, however well it is formed.",
        cause: "The challenge is judged by its form and its time, or an empty one is found in every text.",
      },
      "6.2-challenge-other-login": {
        requirement: "A challenge is found in its own login alone.",
        cause: "Challenges are looked up without their sid, so a thief answers his own login with a victim's code.",
      },
      "6.2-one-login-alone": {
        requirement: "A response answers the login whose code it signs, and no other.",
        cause: "The address is stored for the browser, the client's address, or the last login that waits.",
      },
    },
  },
  "The message is the code's own URL": {
    why: "People sign messages for many reasons. Whoever accepts any signed text lets the signature of a forum post sign in.",
    fix: "Require that `msg` is, to the letter, the URL that was issued: your origin and path, and the `sid`, `c` and `t` of the request. Then verify the signature over it.",
    checks: {
      "6.2-message-elsewhere": {
        requirement: "What somebody signed elsewhere signs nobody in.",
        cause: "The signature is verified over whatever `msg` holds, and `msg` is compared with nothing.",
      },
      "6.2-message-origin": {
        requirement: "A code of another origin signs nobody in here, though its path and query are the same.",
        cause: "Only the query of `msg` is compared: a phishing site passes on what its visitors sign for it.",
      },
      "6.2-message-path": {
        requirement: "A URL of this site with another path signs nobody in.",
        cause: "Only origin and query are compared.",
      },
      "6.2-message-sid": {
        requirement: "A signed code of one login answers no other login: `msg` names the sid of the request.",
        cause: "The challenge in `msg` is looked at, and the sid is not.",
      },
      "6.2-message-challenge": {
        requirement: "`msg` names the challenge of the request: an older message answers no newer code.",
        cause: "Whether `msg` is one of the login's codes is asked, and not whether it is this one.",
      },
      "6.2-message-time": {
        requirement: "`msg` names the `t` of the request.",
        cause: "`t` is taken for decoration.",
      },
      "6.2-message-time-issued": {
        level: "SHOULD",
        requirement: "`t` is the one that was issued, even where message and request agree on another.",
        cause: "Message and request are compared with each other alone.",
      },
      "6.2-message-whole": {
        requirement: "`msg` is the whole QR URL and nothing else: no part of it, and nothing around it.",
        cause: "`includes`, `startsWith` or `endsWith` instead of `===`; or both are parsed, and what is left over is dropped.",
      },
      "6.2-message-letter": {
        requirement: "`msg` is the QR URL to the letter: another order or letter case is another message.",
        cause: "Both are parsed or put into lower case before they are compared.",
      },
    },
  },
  "Bitcoin signatures": {
    why: "The signature is all that proves who somebody is. What is read loosely can be made by somebody else, and what is read narrowly turns common wallets away.",
    fix: "Read exactly 65 bytes of base64 and recover the key over the message's double SHA-256. Derive the address of the kind that the header byte stands for, and compare it with the one that was sent. Take BIP-137's and Electrum's header bytes.",
    checks: {
      "6.2-p2pkh": {
        requirement: "A P2PKH address signs in, with a compressed key and with an uncompressed one.",
        cause: "The address is made from the compressed key alone, or header bytes 27 to 30 are refused.",
      },
      "6.2-p2sh-p2wpkh": {
        requirement: "A P2SH-P2WPKH address signs in with BIP-137's header bytes.",
        cause: "The library compares the hash of the key instead of that of the redeem script.",
      },
      "6.2-p2wpkh": {
        requirement: "A P2WPKH address signs in with BIP-137's header bytes.",
        cause: "Addresses are read as Base58 alone.",
      },
      "6.2-electrum": {
        requirement: "Electrum's signatures sign in: header bytes 31 to 34 for segwit addresses too.",
        cause: "The header byte decides the kind of address; bitcoinjs-message needs `checkSegwitAlways` for these.",
      },
      "6.2-signature-forms": {
        requirement: "Every good signature signs in: s low or high, and r and s with zeros in front.",
        cause: "A library's refusal of high s; or numbers that are written without their leading zeros.",
      },
      "6.2-pubk-optional": {
        requirement: "`pubk` may be absent or empty, and in capitals.",
        cause: "The field is required, or compared as it was sent.",
      },
      "6.2-header": {
        requirement: "A header byte outside 27 to 42 is refused.",
        cause: "The header is reduced, as in `(header - 27) & 3`, without being looked at.",
      },
      "6.2-header-kind": {
        requirement: "BIP-137's headers stand for their own kind of address alone.",
        cause: "The recovered key is compared with the hash in the address, and the header's kind is not.",
      },
      "6.2-signature-other": {
        requirement: "The signature is that address's, over that message.",
        cause: "The result of the verification is not used, or an exception counts as success.",
      },
      "6.2-signature-zero": {
        requirement: "A signature of zeros, or of numbers above the curve's order, is refused.",
        cause: "The point at infinity, or an exception that is answered with 500.",
      },
      "6.2-signature-length": {
        requirement: "A signature has 65 bytes: a shorter or longer one is refused.",
        cause: "The bytes are cut out of fixed places, whatever stands behind them.",
      },
      "6.2-signature-base64": {
        requirement: "A signature is base64, with padding and without anything else.",
        cause: "Node's decoder skips what it does not know, so that one signature has many spellings.",
      },
      "6.2-pubk": {
        requirement: "`pubk`, if it is given, is the key that signed: another one, or none, is refused.",
        cause: "The field is ignored, or stored as it came.",
      },
    },
  },
  "Bitcoin addresses": {
    why: "An address is the account. Two spellings would be two users, and another network's address one that nobody meant.",
    fix: "Decode it with its checksum, check network and kind, and store one spelling. Compare the whole address, not only the hash in it.",
    checks: {
      "6.2-address-network": {
        requirement: "Segwit addresses of other networks are refused, though the key that signs is theirs.",
        cause: "The hash in the address is compared, and its version byte or prefix is not: bitcoinjs-message does so.",
      },
      "6.2-address-version": {
        requirement: "Base58 addresses of other networks are refused too, though the key that signs is theirs.",
        cause: "The hash in the address is compared, and its version byte is not: bitcoinjs-message does so.",
      },
      "6.2-address-checksum": {
        requirement: "An address with a wrong checksum is refused.",
        cause: "The hash is cut out of the address, and its checksum is not computed.",
      },
      "6.2-address-kind": {
        requirement: "Other kinds of address are refused: Taproot, P2WSH, and P2SH of anything but the key's own witness program.",
        cause: "Every address that holds the key's hash is taken, whatever it stands for.",
      },
      "6.2-address-form": {
        requirement: "An address is written as it is made: no white space, no mixed letter case, nothing before or behind it.",
        cause: "The address is trimmed or put into lower case, so that one address is two users.",
      },
      "6.2-one-address-one-user": {
        requirement: "A P2WPKH address may be written in capitals, and is the same user then.",
        cause: "The address is stored and compared as it was sent.",
      },
    },
  },
  "How a fast response arrives": {
    why: "Wallets send the response in several ways, and anybody can send anything. What is not refused early breaks something further in.",
    fix: "Read form, multipart, JSON below `data`, and query in one place that bounds size and time and takes texts alone. Answer in plain text with the words of the status, and with nothing that a library said.",
    checks: {
      "6.2-json": {
        requirement: "A response may come as JSON below `data`, with `pubk` or without it.",
        cause: "The fields are looked for at the top, or `pubk` is required.",
      },
      "6.2-json-any-type": {
        requirement: "Where the form has no `msg`, the JSON is read whatever the content type says.",
        cause: "The framework's parser goes by the content type alone.",
      },
      "6.2-multipart": {
        requirement: "A response may come as a multipart form.",
        cause: "Only urlencoded forms are read.",
      },
      "6.2-get": {
        requirement: "A GET may carry the response in its query.",
        cause: "The webhook answers POST alone.",
      },
      "6.2-get-page": {
        level: "SHOULD",
        requirement: "A browser that opens a code gets a page that explains it, and nobody is signed in by that.",
        cause: "A phone's own camera opens the code and meets an error.",
      },
      "6.2-query-fields": {
        requirement: "A POST is judged by its body: fields in its query are not taken for those that the body lacks.",
        cause: "Query and body are merged, so that a link carries half of a response.",
      },
      "6.2-query-twice": {
        requirement: "A query that names a challenge or a sid twice is refused.",
        cause: "One of the two is looked up, and the other is compared with the message.",
      },
      "6.2-body-json": {
        requirement: "A body that is neither a form nor JSON with `data` signs nobody in.",
        cause: "The exception of `JSON.parse` is not caught, or `null` is read as an object.",
      },
      "6.2-body-types": {
        requirement: "Fields that are no texts are refused, and break nothing.",
        cause: "A method of a text is called on a number, or an object reaches the database's query.",
      },
      "6.2-body-text": {
        requirement: "Invalid UTF-8, NUL, lone surrogates and deep nesting are refused, and break nothing.",
        cause: "The text reaches the database, which cannot hold it, or a recursive parser.",
      },
      "6.2-body-size": {
        requirement: "A body over 64 KB is refused with 413.",
        cause: "The framework's default of a megabyte, or the size is looked at only in `Content-Length`.",
      },
      "6.2-stalled-body": {
        level: "SHOULD",
        requirement: "A body that never arrives in full is answered with a 4xx after ten seconds.",
        cause: "Nothing ends a request that stalls, so a few idle connections use up the server.",
      },
      "6.2-words": {
        requirement: "Answers are plain text that begins with the words of their status: authenticated 200, no challenge 400, not verified 401.",
        cause: "JSON or HTML by the framework's default, or one text for every refusal.",
      },
      "6.2-server-fault": {
        requirement: "Nothing that this run has sent made the site fail: no answer was a 5xx.",
        cause: "A library throws at malformed input, and nobody catches it: look at the exchange.",
      },
      "6.2-tells-nothing-inner": {
        requirement: "No answer holds a stack, SQL, a path of the server, or a library's exception.",
        cause: "The message of an exception behind `Error:`, as the specification's short form suggests.",
      },
    },
  },
  "The status of a fast login": {
    why: "The page waits for the status, and anybody who photographed the code can read it too.",
    fix: "Answer with `sid` and the number `status`, 0 or 1, and nothing else. An unknown sid is 0.",
    checks: {
      "6.3-waiting": {
        requirement: "While nobody has answered, the status is the number 0, with the sid.",
        cause: "The status is a text, false or missing.",
      },
      "6.3-answered": {
        requirement: "Once a wallet was accepted, the status is the number 1, for whoever knows the sid.",
        cause: "The answer to the wallet and the login's address are written apart.",
      },
      "6.3-refused": {
        requirement: "A refused response changes nothing: the status stays 0.",
        cause: "The address is written to the login before the signature is judged.",
      },
      "6.3-tells-no-more": {
        requirement: "The status tells `sid` and `status` alone, before and after, and gives nobody a cookie.",
        cause: "The login's row is sent: its address, its challenges, its browser; or whoever asks is bound.",
      },
      "6.3-unknown": {
        requirement: "An unknown sid is 0, whatever it looks like.",
        cause: "An unknown login is an error or an answered one, or a strange sid reaches the database.",
      },
    },
  },
  "A fast login signs its browser in": {
    why: "Without this nobody gets in, somebody gets another one's account, or the session can be stolen afterwards.",
    fix: "At `/dashboard?sid=` redeem the login, set a new session cookie (`HttpOnly`, `SameSite=Lax`, `Secure` on https), and redirect to a path of this site, with `Cache-Control: no-store`.",
    checks: {
      "6.4-sign-in": {
        requirement: "The browser that started a login is signed in once a wallet has answered, by plain redirects.",
        cause: "The cookie is not sent back (its path, or `Secure` on http), or signing in needs a script; see --dashboard.",
      },
      "6.4-right-user": {
        requirement: "The user who is signed in is the one who holds the address: another address is another user, the same the same.",
        cause: "The session is opened for the user of another login, such as the last one, or for a new one every time.",
      },
      "6.4-redirects": {
        requirement: "Every redirect on the way stays on this site, whatever page a parameter names.",
        cause: "A parameter of the page is passed on without being judged: an open redirect after every login.",
      },
      "6.4-new-session": {
        requirement: "Each sign-in opens a new session: a token that was planted is not carried on.",
        cause: "The session of before is given a user instead of being replaced (session fixation).",
      },
      "6.4-no-store": {
        requirement: "The page of whoever is signed in, and the answer that signs in, say `Cache-Control: no-store`.",
        cause: "A redirect is cacheable, or the dashboard is: the next browser behind the same cache is shown it.",
      },
      "6.4-session-cookie": {
        requirement: "The session cookie is `HttpOnly`, `SameSite=Lax` or stricter, and on https `Secure`.",
        cause: "The redirect sets its cookie by hand, beside the framework's own.",
      },
    },
  },
  "Only the bound browser is signed in by a fast login, once": {
    why: "`/dashboard?sid=` is a link, and whoever photographs the QR code knows the sid. If that is enough, the photograph signs them in.",
    fix: "Redeem in one statement: `UPDATE login SET redeemed_at = now() WHERE sid = $1 AND browser_hash = $2 AND address IS NOT NULL AND redeemed_at IS NULL RETURNING address`, with SHA-256 of the binding cookie as `$2`. No row signs nobody in and changes nothing. Signing out ends the browser's other logins.",
    checks: {
      "6.4-not-before": {
        requirement: "Nobody is signed in by a login that no wallet has answered, or only with a refused response.",
        cause: "The sign-in asks whether the login exists, and not whether it has an address.",
      },
      "6.4-stolen-sid": {
        requirement: "Whoever knows the sid alone is not signed in.",
        cause: "`/dashboard?sid=` signs in whoever opens it, as the specification's short form reads.",
      },
      "6.4-foreign-cookie": {
        requirement: "A browser with the cookie of a login of its own is not signed in by another one.",
        cause: "The sign-in asks whether there is a cookie, or one of an answered login, and not whether it is this login's.",
      },
      "6.4-guessed-cookie": {
        requirement: "Cookies made from what the code shows sign nobody in.",
        cause: "The cookie holds the sid or a hash of it, or an empty value matches an empty column.",
      },
      "6.4-thief-spends-nothing": {
        level: "SHOULD",
        requirement: "A stranger who tries a login does not end it for the browser that started it.",
        cause: "The login is ended before its browser is compared, so whoever sees a code can lock its owner out.",
      },
      "6.4-once": {
        requirement: "A login signs in once: the same browser, or a copy of its cookies, is not signed in by it again.",
        cause: "The address stays on the login, which is not ended when it is redeemed.",
      },
      "6.4-once-at-once": {
        requirement: "Of several redemptions at once exactly one opens a session.",
        cause: "The login is read and ended in separate steps.",
      },
      "6.4-signed-out": {
        requirement: "Signing out ends the browser's other fast logins, answered or not: none of them signs in afterwards.",
        cause: "Sign-out knows the login that was redeemed alone, so the next person at the browser is signed in.",
      },
      "6.4-strange-sids": {
        requirement: "A strange `sid` at the dashboard signs nobody in, and breaks nothing.",
        cause: "The sid reaches the database or a redirect as it came.",
      },
    },
  },
} as const satisfies Texts;

export type FastId = IdOf<typeof FAST_TEXTS>;
