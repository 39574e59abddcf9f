import type { IdOf, Texts } from "../check.ts";
import { SITE_TEXTS } from "./site.ts";

/** What the checks of a hosted API require, by what they guard. */
export const HOSTED_TEXTS = {
  "Errors have one shape": {
    ...SITE_TEXTS["Errors have one shape"],
    checks: {
      "2.1-api-errors": {
        requirement: "Every refusal of the API is `error` with `code`, `message` and `details`, and its code fits its status.",
        cause: "Some refusals are the framework's own, or a library's.",
      },
      "2.1-api-tells-nothing-inner": {
        requirement: "No error of the API holds a stack, SQL, or a path of the server.",
        cause: "The message of an exception is sent to the caller.",
      },
      "2.1-api-server-fault": {
        requirement: "Nothing that this run has sent made the API fail: no answer was a 5xx.",
        cause: "An exception that nobody catches: look at the exchange, it is the input that does it.",
      },
      "2.1-api-paths": {
        requirement: "Unknown paths are 404 and other methods 405 with `Allow`, in the same shape.",
        cause: "The framework's own page answers.",
      },
    },
  },
  "Hostile input": {
    ...SITE_TEXTS["Hostile input"],
    checks: {
      "2.2-api-bodies": {
        requirement: "What is no JSON object of the right size, type and depth is refused: 400, 413 or 415.",
        cause: "The exception of `JSON.parse` is not caught, or nothing limits size and depth.",
      },
      "2.2-api-query": {
        requirement: "A query that names a field twice, or more than 64, is 400.",
        cause: "One of the two is taken, and a proxy in front takes the other.",
      },
    },
  },
  "Headers for caches, browsers and support": {
    ...SITE_TEXTS["Headers for caches, browsers and support"],
    checks: {
      "2.3-api-request-id": {
        requirement: "Every answer of the API carries an `X-Request-Id` of its own.",
        cause: "Only successful answers carry it.",
      },
      "2.3-api-no-store": {
        requirement: "No answer about a session may be stored: each says `Cache-Control: no-store`.",
        cause: "The framework's default lets a proxy keep challenges and statuses.",
      },
      "2.3-api-cors-wallets": {
        requirement: "A wallet in a browser may answer a session: any origin reads the answer, and a preflight allows it.",
        cause: "CORS is set for the site's own webhooks, and this one is forgotten.",
      },
      "2.3-api-cors-elsewhere": {
        requirement: "No other answer of the API may be read by another origin: keys belong on servers.",
        cause: "CORS is switched on for the whole API, so that keys are put into pages.",
      },
    },
  },
  Limits: {
    ...SITE_TEXTS.Limits,
    checks: {
      "2.4-api-headers": {
        requirement: "Every operation says what is left: `RateLimit-Limit`, `-Remaining` and `-Reset`.",
        cause: "The headers are set by the limiter's refusal alone.",
      },
      "2.4-api-retry-after": {
        requirement: "A 429 of the API says when to come back: `Retry-After`, and the same as `details.retry_after`.",
        cause: "The refusal is the limiter's own, or a proxy's.",
      },
      "2.4-api-sessions-limited": {
        requirement: "A tenant creates at most 100 sessions a minute; reading goes on.",
        cause: "Nothing counts, or one counter stands for all operations.",
      },
      "2.4-api-failures-limited": {
        requirement: "One address fails at most 60 times a minute with unknown keys, and the right key still passes.",
        cause: "Keys can be tried without end, or an attacker behind the same address locks the customer out.",
      },
    },
  },
  "API keys": {
    why: "The key is all that tells a customer's server from everybody else. In a query or a log it is read by others.",
    fix: "Read `Authorization: Bearer` before anything else of the request, look the key's hash up in this base's own keys, and answer 401 `invalid_api_key` with `WWW-Authenticate: Bearer`.",
    checks: {
      "5.1-no-key": {
        requirement: "Every operation without a key is 401 `invalid_api_key`, with `WWW-Authenticate: Bearer`.",
        cause: "The key is asked for in each handler, and one of them does not.",
      },
      "5.1-unknown-key": {
        requirement: "A key that nobody has is refused, however well it is formed.",
        cause: "The key's form is judged, or a part of it is looked up.",
      },
      "5.1-bearer-only": {
        requirement: "The key counts as a bearer token alone: not in the query, not under another scheme or header.",
        cause: "Several places are looked at, and one of them ends up in logs.",
      },
      "5.1-other-base": {
        requirement: "A key of the other base is refused: `/v1` takes live keys, `/sandbox/v1` test keys.",
        cause: "The key alone decides which data is seen, so a test key reaches live users.",
      },
      "5.1-before-body": {
        requirement: "The key is judged before the body: 401, though the body is malformed.",
        cause: "The body is parsed first, so strangers make the server work and learn its rules.",
      },
      "5.1-openapi": {
        requirement: "`GET /openapi.json` below the base is an OpenAPI document that names every operation, and needs no key.",
        cause: "The document is written by hand and has fallen behind.",
      },
    },
  },
  "Tenants are apart": {
    why: "One customer would read or end another customer's logins.",
    fix: "Put the tenant of the key into the `WHERE` of every statement, lists and idempotency keys too. What is another's is 404, as if it did not exist.",
    checks: {
      "5.1-foreign-session": {
        requirement: "Another tenant's session is 404 `session_not_found`, as if it did not exist.",
        cause: "The session is looked up by its identifier alone.",
      },
      "5.1-foreign-domain": {
        requirement: "Another tenant's domain is 404 `domain_not_found` for every operation, and nothing happens to it.",
        cause: "One of the operations looks the domain up by its identifier alone.",
      },
      "5.1-foreign-name": {
        requirement: "A session for a domain that another tenant has registered is 422 `domain_not_registered`.",
        cause: "The domain is looked up by its name, and whose it is is not asked.",
      },
      "5.1-foreign-lists": {
        requirement: "No list shows anything of another tenant, whatever it is asked to filter by.",
        cause: "A filter replaces the condition that keeps tenants apart.",
      },
      "5.1-own-idempotency": {
        requirement: "An `Idempotency-Key` is the tenant's own: another tenant's answer is never given out.",
        cause: "Answers are kept by the key alone.",
      },
    },
  },
  "A session is answered once": {
    why: "Whoever records a wallet's response, or sends it twice, would sign in again, or as somebody else.",
    fix: "Judge shape, challenge and signature in this order, and let one statement spend the challenge and authenticate its session, only where it is still pending. Everything later is 408.",
    checks: {
      "5.2-answer": {
        requirement: "A correct answer of any wallet is 200: the customer knows its users, and not the API.",
        cause: "The key is looked up among the users of the API's own site, or the webhook does not work: begin here.",
      },
      "5.2-single-use": {
        requirement: "A session is answered once: the same wallet and any other get 408 afterwards.",
        cause: "Used challenges are not marked, so that the user of a session can be replaced.",
      },
      "5.2-final": {
        requirement: "Once a session is answered, an older challenge of it puts no other user in its place.",
        cause: "The older challenges of a session stay alive after one of them has succeeded.",
      },
      "5.2-at-once": {
        requirement: "Of many answers to one challenge at once exactly one gets 200, and the others get 408.",
        cause: "The challenge is read, judged and spent in separate steps.",
      },
      "5.2-order": {
        requirement: "Content type, shape, challenge and signature are judged in this order: 415, 400, 408, 406.",
        cause: "The signature is judged first, or the challenge is looked up before the body is validated.",
      },
      "5.2-intent": {
        requirement: "An answer that showed an intent is 406 and leaves the session pending; null is as good as none.",
        cause: "The field is ignored, though no code of the hosted API has an intent: somebody has changed this one.",
      },
      "5.2-other-session": {
        requirement: "A session takes answers to its own challenges alone; at an unknown session every answer is 408.",
        cause: "The challenge is looked up, and the session of the path is not compared with it.",
      },
      "5.2-other-domain": {
        requirement: "An answer to a challenge with another domain, action or time than was issued is 408.",
        cause: "The nonce is looked up, and what stands beside it is not compared.",
      },
      "5.2-encodings": {
        requirement: "Keys may be compressed and signatures may have a high s, in any letter case.",
        cause: "The library's defaults, which refuse what other wallets send.",
      },
      "5.2-signatures": {
        requirement: "Other signatures are 406, and the session stays pending: loose DER, other hashes, other keys.",
        cause: "The signature is read as BER, or verified over something that the caller chose.",
      },
    },
  },
  "What a session is made of": {
    why: "The customer acts on these fields. An open `webhook_url` or `return_url` sends users and their logins elsewhere.",
    fix: "Validate the body with a schema. Compare URLs by their parsed host with the registered domain's, never by a part of the text, and answer with the documented fields alone.",
    checks: {
      "5.2-created": {
        requirement: "A new session is 201 with `id`, `challenge`, `qr_data`, `expires_at`, `status` and `created_at`.",
        cause: "A field has another name or type, or the session's row is sent as it is.",
      },
      "5.2-challenge": {
        requirement: "The challenge is `svc:{mode}:{domain}:{timestamp}:{nonce}` for the domain that was asked for.",
        cause: "The API's own host name is written into it, which wallets would then show.",
      },
      "5.2-mode": {
        requirement: "The challenge names the mode: `login` unless `register` was asked for.",
        cause: "The mode is kept with the session, and not passed on to what writes the challenge.",
      },
      "5.2-expires-at": {
        requirement: "`expires_at` is the end of this challenge: 30 seconds after its timestamp.",
        cause: "It is the end of the session, or has another zone.",
      },
      "5.2-qr-data": {
        requirement: "`qr_data` is `svc://auth?…` with the session's webhook at this API, its id, its challenge and `ts`.",
        cause: "`APP_URL` is another environment's, or the payload is put together by hand.",
      },
      "5.2-random": {
        requirement: "Identifiers and nonces cannot be told from others: 22 characters or more, none like the next.",
        cause: "A counter, or an identifier made from the time.",
      },
      "5.2-domain-unknown": {
        requirement: "A session for a domain that is not registered is 422 `domain_not_registered`.",
        cause: "Any domain is taken, so that anybody gets challenges in anybody's name.",
      },
      "5.2-types": {
        requirement: "A missing or malformed field is 400 `invalid_request`.",
        cause: "Fields are used without being validated.",
      },
      "5.2-webhook-url": {
        requirement: "A session's `webhook_url` on another host than the domain's is 400.",
        cause: "Whoever has the key sends users' logins anywhere, or `endsWith` compares the hosts.",
      },
      "5.2-return-url": {
        requirement: "`metadata.return_url` is https on the domain; anything else is 400.",
        cause: "An open redirect after every login: the URL is passed on as it came.",
      },
      "5.2-custom-data": {
        requirement: "`metadata.custom_data` over 4 KB is 400, counted in bytes.",
        cause: "Characters are counted, or nothing is.",
      },
      "5.2-accepts": {
        requirement: "What may be said of a session is taken: URLs on the domain, 4 KB of data, fields nobody knows.",
        cause: "The validation is stricter than the rules.",
      },
      "5.2-pending": {
        requirement: "A session that nobody has answered is read as `id`, `status` and `expires_at`, and no more.",
        cause: "The session's row is sent, with the challenge or what the customer keeps in it.",
      },
      "5.2-authenticated": {
        requirement: "An answered session names its user: the key in canonical form, platform and version of the device.",
        cause: "The key is shown as it was sent, so that one user looks like two; or the device's id leaves.",
      },
      "5.2-unknown-session": {
        requirement: "An unknown session is 404 `session_not_found`, whatever its identifier looks like.",
        cause: "A strange identifier reaches the database.",
      },
    },
  },
  Idempotency: {
    why: "A customer that repeats a request after a lost answer must not get a second session.",
    fix: "Insert tenant, key and a hash of the body under a unique index before the work begins, and keep the answer's bytes there. Another body is 409.",
    checks: {
      "5.2-idempotency": {
        requirement: "The same `Idempotency-Key` and body get the same answer to the letter, and no second session.",
        cause: "The header is ignored, or the answer is made anew from a row that has changed since.",
      },
      "5.2-idempotency-conflict": {
        requirement: "The same `Idempotency-Key` with another body is 409 `idempotency_conflict`.",
        cause: "The key alone is looked up, and the caller gets a session that it did not ask for.",
      },
      "5.2-idempotency-at-once": {
        requirement: "The same request several times at once makes one session, and all get its answer.",
        cause: "Whether the key was used is read and written in separate steps.",
      },
      "5.2-idempotency-key": {
        requirement: "An `Idempotency-Key` that is empty, too long or no printable ASCII is 400.",
        cause: "The key reaches a column that cuts it off, so that two keys are one.",
      },
    },
  },
  "How long a session lives": {
    why: "An old photograph of the code must be worth nothing, and who approves in time must not be turned away.",
    fix: "Keep each challenge's own time of issue, and put 30 seconds into the statement that spends it. A refresh adds a challenge and leaves the one before as it is. An answered session stays.",
    checks: {
      "5.2-refresh": {
        requirement: "A refresh gives the session a new challenge; the one before stays good until its own end.",
        cause: "A session holds one challenge, which every refresh overwrites.",
      },
      "5.2-refresh-mode": {
        requirement: "A refreshed challenge is of the same mode and domain.",
        cause: "The refresh has defaults of its own.",
      },
      "5.2-refresh-authenticated": {
        requirement: "An answered session is not refreshed: 409 `session_already_authenticated`, and it stays answered.",
        cause: "The refresh writes `pending` before it looks.",
      },
      "5.2-expired": {
        requirement: "After 30 seconds a session is 410 `session_expired` and its challenge 408; a refresh revives it.",
        cause: "Expiry is left to a clean-up job, or ends the session for good.",
      },
      "5.2-lives-30-seconds": {
        requirement: "A challenge is good for its whole 30 seconds.",
        cause: "A shorter lifetime, or one that is counted from the start of the session.",
      },
      "5.2-answered-stays": {
        requirement: "An answered session can be read after its challenge has ended.",
        cause: "The end of the challenge is compared before the status is.",
      },
    },
  },
  Lists: {
    why: "A list that skips or repeats entries loses a customer's data without a word.",
    fix: "Order by time and id, newest first, and let the cursor name the last entry that was given. Refuse every other `limit` and `cursor`.",
    checks: {
      "5.2-list": {
        requirement: "`GET /sessions` lists newest first, a page at a time, and `next_cursor` leads to all of them.",
        cause: "The order is left to the database, or the cursor skips what has the same time.",
      },
      "5.2-list-query": {
        requirement: "A list's `limit` is a whole number from 1 to 100, its `cursor` one that it gave; otherwise 400.",
        cause: "The number is converted, so that `limit=1e9` reads the whole table.",
      },
      "5.4-list": {
        requirement: "`GET /domains` lists newest first, a page at a time, and `next_cursor` leads to all of them.",
        cause: "The order is left to the database, or the cursor skips what has the same time.",
      },
    },
  },
  "Verifying a signature": {
    why: "Customers decide by `valid`. An unreadable signature that counts as a wrong one hides a mistake, and one that signs somebody in is a hole.",
    fix: "Verify as the webhook does, read and write no session, and keep apart what does not verify (200, `valid` false) and what cannot be read (400).",
    checks: {
      "5.3-valid": {
        requirement: "A correct signature over any text is `valid`, with the key in canonical form and the text's hash.",
        cause: "The text has to be a challenge, or is hashed in another encoding than UTF-8.",
      },
      "5.3-encodings": {
        requirement: "Compressed keys, any letter case and a high s are read; the key comes back in canonical form.",
        cause: "The library's defaults refuse what wallets send.",
      },
      "5.3-invalid": {
        requirement: "A well-formed signature that does not verify is 200 with `valid` false.",
        cause: "The result is not looked at, or a wrong signature is answered with an error.",
      },
      "5.3-unreadable": {
        requirement: "A key or signature that cannot be read is 400 `invalid_signature`, and says what was expected.",
        cause: "The library's exception is caught as `valid: false`, which hides the caller's mistake.",
      },
      "5.3-shape": {
        requirement: "A missing field, or one of another type, is 400 `invalid_request`.",
        cause: "Values are converted: `String(…)` makes a text of anything.",
      },
      "5.3-authenticates-nobody": {
        requirement: "Verifying a session's challenge leaves the session pending and its challenge unspent.",
        cause: "One function judges both, and the verification spends what it finds.",
      },
    },
  },
  "Domains and their secrets": {
    why: "Whoever may name another's domain gets challenges in its name. Whoever learns the secret forges its events.",
    fix: "Bring names into lower-case ASCII with the platform's `URL`, refuse what is no public host name, prove ownership before live use, and show a secret once. Say nothing of inner addresses in an error.",
    checks: {
      "5.4-created": {
        requirement: "A new domain is 201 with `id`, `domain`, `verified`, its token and its secret of 32 bytes.",
        cause: "A field has another name, or the secret is short or of another form.",
      },
      "5.4-own-secrets": {
        requirement: "Every domain has a secret and a token of its own.",
        cause: "The tenant's or the API's secret is given out.",
      },
      "5.4-shown-once": {
        requirement: "The webhook's secret is shown once: no later answer holds it.",
        cause: "The domain's row is sent with everything in it.",
      },
      "5.4-twice": {
        requirement: "The same domain again is 409 `domain_already_registered`, in any spelling.",
        cause: "Names are compared as they were sent.",
      },
      "5.4-names": {
        requirement: "What is no host name of a customer is 400: schemes, ports, paths, addresses, wildcards, suffixes.",
        cause: "The text is judged by a loose pattern, or by a URL parser that repairs it.",
      },
      "5.4-ascii": {
        requirement: "A name is stored in lower-case ASCII: capitals folded, international names in punycode.",
        cause: "The name is kept as it came, so that no challenge of a wallet ever equals it.",
      },
      "5.4-test-names": {
        requirement: "In test mode a name under `.test` counts as verified; with a live key it is no domain.",
        cause: "The two modes share a rule.",
      },
      "5.4-proof": {
        requirement: "A domain without a proof is 422 `domain_verification_failed`; it says where it looked, and no address.",
        cause: "The lookup's error is passed on, which maps the inner network; or nothing is looked up.",
      },
      "5.4-changed": {
        requirement: "`PATCH /domains/{id}` changes the webhook URL, and nothing else.",
        cause: "The body is merged into the row, with whatever it names.",
      },
      "5.4-rotated": {
        requirement: "A rotation gives a new secret and says until when the previous one is used too: 24 hours.",
        cause: "The old secret ends at once, so that every event under way is refused.",
      },
      "5.4-deleted": {
        requirement: "A deleted domain is gone with its sessions: 404, its challenges 408, and its name is free again.",
        cause: "The domain is marked as deleted, and sessions are read without asking for it.",
      },
      "5.4-unknown": {
        requirement: "An unknown domain is 404 `domain_not_found`.",
        cause: "An unknown or strange identifier reaches the database.",
      },
    },
  },
  "Webhook URLs": {
    why: "The API dials what its customers name. A private address makes it a tunnel into your own network.",
    fix: "Parse with `URL`, require https and a public host name, and judge the address that it resolves to at every attempt: resolve once, and dial that address.",
    checks: {
      "5.5-form": {
        requirement: "A webhook URL is absolute, without user info and fragment, of 2,048 characters at most; otherwise 400.",
        cause: "Whatever `new URL` takes is called.",
      },
      "5.5-port": {
        requirement: "A webhook URL's port is absent or 1 to 65535, and none that browsers block; otherwise 400.",
        cause: "The port is not looked at.",
      },
      "5.5-host": {
        requirement: "A webhook URL's host is a syntactically valid name; otherwise 400.",
        cause: "Only the URL parser judges the host, and it takes what no name server does.",
      },
      "5.5-public-suffix": {
        requirement: "A public suffix is no host of a webhook: 400.",
        cause: "Two labels count as enough.",
      },
      "5.5-inner-names": {
        requirement: "Names that are not public are 400: one label, special use, what inner networks use, suffixes that nobody can register below.",
        cause: "Events reach the API's own network. An operator may open it (`WEBHOOK_ALLOW_CIDRS`); this then fails rightly.",
      },
      "5.5-addresses": {
        requirement: "An address that is not public is 400, in every spelling.",
        cause: "The cloud's metadata and inner services can be called: server-side request forgery.",
      },
      "5.5-https": {
        requirement: "A webhook URL is https; http to a public name is 400.",
        cause: "The scheme is not looked at.",
      },
      "5.5-accepts": {
        requirement: "A webhook URL on any public name is taken, with port, path and query.",
        cause: "The URL has to be on the domain itself, or without a port.",
      },
    },
  },
  "Events are signed, and sent until they are taken": {
    why: "A customer signs users in by events. One that cannot be verified is ignored, and one that is lost is a login that never ends.",
    fix: "Write the event in the transaction that authenticates the session. Turn it into bytes once, sign those and send those. Try again with growing pauses until a 2xx, under the same `webhook-id`.",
    checks: {
      "5.6-sent": {
        requirement: "An answered session sends one event by POST, as JSON, to its domain's URL.",
        cause: "Nothing sends, or a worker does that is not running: begin here.",
      },
      "5.6-sent-body": {
        requirement: "An event holds its kind, time and session, and what the wallet has proved; all of it verifies.",
        cause: "Fields are renamed, or the key and signature are another spelling's than the challenge's.",
      },
      "5.6-sent-standard": {
        requirement: "`webhook-signature` is Standard Webhooks' over the very bytes that arrive, keyed by the secret's bytes.",
        cause: "The JSON is written twice, or the key is the secret's text.",
      },
      "5.6-sent-svc": {
        requirement: "`x-svc-signature` is the hex HMAC over the very bytes that arrive, keyed by the secret's text.",
        cause: "The key is the secret's bytes, or the timestamp is signed along.",
      },
      "5.6-sent-rotated": {
        requirement: "After a rotation `webhook-signature` holds both secrets' signatures, the new one's first.",
        cause: "The old secret ends at once, so that receivers refuse events until they are deployed anew.",
      },
      "5.6-sent-test": {
        requirement: "A test event is signed as every event is, and is named `test`, as its session is.",
        cause: "The test is another function, with a shape of its own.",
      },
      "5.6-sent-for-success": {
        requirement: "A refused answer sends no event.",
        cause: "The event is queued before the answer is judged.",
      },
      "5.6-sent-again": {
        requirement: "After a 500 the event is sent again: the same `webhook-id`, the same bytes, a timestamp of its own.",
        cause: "The first failure ends it, or the event is written anew for every attempt.",
      },
      "5.6-sent-redirect": {
        requirement: "A redirect is a failure, and is not followed.",
        cause: "The HTTP client follows redirects by default, into whatever network it stands in.",
      },
      "5.6-sent-any-2xx": {
        requirement: "Any 2xx is success: it is noted as delivered, and not sent again.",
        cause: "Only 200 counts, so that a 202 is sent for three days.",
      },
      "5.6-sent-410": {
        requirement: "A 410 disables the endpoint until its URL is set again.",
        cause: "A 410 counts as any failure, and a receiver that is gone is called for days.",
      },
      "5.6-sent-later": {
        requirement: "`Retry-After` is honoured: the next attempt is planned for then.",
        cause: "The schedule knows its own pauses alone.",
      },
      "5.6-resent": {
        requirement: "An event that is sent again by hand has the same `webhook-id` and the same bytes.",
        cause: "A new event is made, which receivers take a second time.",
      },
      "5.6-listed": {
        requirement: "`GET /deliveries` lists events newest first, and of one session or domain alone where asked.",
        cause: "A filter is ignored, or the order is left to the database.",
      },
    },
  },
} as const satisfies Texts;

export type HostedId = IdOf<typeof HOSTED_TEXTS>;
