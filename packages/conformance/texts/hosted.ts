import type { IdOf, Texts } from "../check.ts";
import { SITE_TEXTS } from "./site.ts";

/** What the checks of a hosted API require, by what they protect. */
export const HOSTED_TEXTS = {
  "Errors have one shape": {
    why: SITE_TEXTS["Errors have one shape"].why,
    fix: SITE_TEXTS["Errors have one shape"].fix,
    checks: {
      "2.1-api-errors": {
        requirement: "Every refusal of the API MUST be `error` with `code`, `message` and `details`, with a code that belongs to its status.",
        cause: "Some refusals come from the framework or a library.",
      },
      "2.1-api-tells-nothing-inner": {
        requirement: "An error of the API MUST NOT contain a stack trace, SQL or a path of the server.",
        cause: "The message of an exception is sent to the caller.",
      },
      "2.1-api-server-fault": {
        requirement: "The API MUST NOT answer 5xx to any request of this run.",
        cause: "An exception is not caught. The exchange shows the input that causes it.",
      },
      "2.1-api-paths": {
        requirement: "The API MUST answer 404 to unknown paths and 405 with `Allow` to other methods, in the same shape.",
        cause: "The framework's own page answers.",
      },
    },
  },
  "Hostile input": {
    why: SITE_TEXTS["Hostile input"].why,
    fix: SITE_TEXTS["Hostile input"].fix,
    checks: {
      "2.2-api-bodies": {
        requirement: "The API MUST refuse a body that is not a JSON object, or exceeds the limits of size, type or depth, with 400, 413 or 415.",
        cause: "The exception of `JSON.parse` is not caught, or size and depth are not limited.",
      },
      "2.2-api-query": {
        requirement: "The API MUST answer 400 to a query with a repeated field, or with more than 64 fields.",
        cause: "The API uses one of the two values, and a proxy in front may use the other.",
      },
    },
  },
  "Headers for caches, browsers and support": {
    why: SITE_TEXTS["Headers for caches, browsers and support"].why,
    fix: SITE_TEXTS["Headers for caches, browsers and support"].fix,
    checks: {
      "2.3-api-request-id": {
        requirement: "Every answer of the API MUST have a different `X-Request-Id`.",
        cause: "Only successful answers have it.",
      },
      "2.3-api-no-store": {
        requirement: "Every answer about a session MUST have `Cache-Control: no-store`.",
        cause: "The framework's default lets a proxy cache challenges and statuses.",
      },
      "2.3-api-cors-wallets": {
        requirement: "A wallet in a browser MUST be able to answer a session: every origin can read the answer, and a preflight allows the request.",
        cause: "CORS is set for the site's own webhooks, but not for this one.",
      },
      "2.3-api-cors-elsewhere": {
        requirement: "Other origins MUST NOT be able to read any other answer of the API.",
        cause: "CORS is enabled for the whole API, so keys end up in pages.",
      },
    },
  },
  Limits: {
    why: SITE_TEXTS.Limits.why,
    fix: SITE_TEXTS.Limits.fix,
    checks: {
      "2.4-api-headers": {
        requirement: "Answers of every operation MUST have `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`.",
        cause: "Only the limiter's refusal sets the headers.",
      },
      "2.4-api-retry-after": {
        requirement: "A 429 of the API MUST have `Retry-After`, and the same number as `details.retry_after`.",
        cause: "The refusal comes from the limiter or from a proxy.",
      },
      "2.4-api-sessions-limited": {
        requirement: "The API MUST refuse more than 100 new sessions a minute from a tenant, and still let it read sessions.",
        cause: "Requests are not counted, or one counter covers all operations.",
      },
      "2.4-api-failures-limited": {
        requirement: "The API MUST refuse more than 60 requests a minute with unknown keys from one client address, and still accept the right key.",
        cause: "The number of keys to try is unlimited, or an attacker behind the same address locks out the customer.",
      },
    },
  },
  "API keys": {
    why: "Only the key distinguishes a customer's server from anyone else. In a query or a log, others can read it.",
    fix: "Read `Authorization: Bearer` before anything else in the request, look up the key's hash among the keys of this base, and answer 401 `invalid_api_key` with `WWW-Authenticate: Bearer`.",
    checks: {
      "5.1-no-key": {
        requirement: "Every operation without a key MUST get 401 `invalid_api_key`, with `WWW-Authenticate: Bearer`.",
        cause: "Each handler checks the key on its own, and one of them does not.",
      },
      "5.1-unknown-key": {
        requirement: "The API MUST refuse an unknown key, even if it is well-formed.",
        cause: "Only the key's form is checked, or a part of it is looked up.",
      },
      "5.1-bearer-only": {
        requirement: "The API MUST accept the key only as a bearer token, never in the query, under another scheme or in another header.",
        cause: "The key is read from several places, and one of them ends up in logs.",
      },
      "5.1-other-base": {
        requirement: "The API MUST refuse a key of the other base: `/v1` takes live keys, `/sandbox/v1` test keys.",
        cause: "Only the key decides which data is used, so a test key reaches live users.",
      },
      "5.1-before-body": {
        requirement: "The API MUST check the key before the body: 401 even if the body is malformed.",
        cause: "The body is parsed first, so strangers can keep the server busy and learn its rules.",
      },
      "5.1-openapi": {
        requirement: "`GET /openapi.json` below the base MUST be an OpenAPI document with every operation, without a key.",
        cause: "The document is written by hand and out of date.",
      },
    },
  },
  "Tenants are separate": {
    why: "Otherwise one customer could read or end another customer's logins.",
    fix: "Put the key's tenant into the `WHERE` of every statement, including lists and idempotency keys. Answer 404 for another tenant's data, as if it did not exist.",
    checks: {
      "5.1-foreign-session": {
        requirement: "Another tenant's session MUST be 404 `session_not_found`.",
        cause: "The session is looked up only by its identifier.",
      },
      "5.1-foreign-domain": {
        requirement: "Another tenant's domain MUST be 404 `domain_not_found` for every operation and MUST NOT change.",
        cause: "One of the operations looks up the domain only by its identifier.",
      },
      "5.1-foreign-name": {
        requirement: "A session for a domain that another tenant has registered MUST get 422 `domain_not_registered`.",
        cause: "The lookup uses only the domain, not its tenant.",
      },
      "5.1-foreign-lists": {
        requirement: "Lists MUST NOT contain another tenant's data, whatever filter is used.",
        cause: "A filter replaces the condition that separates tenants.",
      },
      "5.1-own-idempotency": {
        requirement: "The API MUST NOT return another tenant's answer for an `Idempotency-Key`.",
        cause: "Answers are stored only by the key.",
      },
    },
  },
  "A session is answered once": {
    why: SITE_TEXTS["A challenge succeeds once"].why,
    fix: "Check the body, the challenge and the signature in this order, and use one statement that spends the challenge and authenticates its session, but only if the session is still pending. Answer 408 to every later response.",
    checks: {
      "5.2-answer": {
        requirement: "The API MUST answer a correct response of any wallet with 200, because the customer knows its users and the API does not.",
        cause: "The key is looked up among the users of the API's own site, or the webhook does not work. Start here.",
      },
      "5.2-single-use": {
        requirement: "A session MUST be answered at most once: further responses, from any wallet, get 408.",
        cause: "Used challenges are not marked, so the user of a session can be replaced.",
      },
      "5.2-final": {
        requirement: "After a session is answered, an older challenge MUST NOT replace its user.",
        cause: "Older challenges of a session stay valid after one of them has succeeded.",
      },
      "5.2-at-once": {
        requirement: "The API MUST accept exactly one of many simultaneous responses to a challenge and answer 408 to the others.",
        cause: "The challenge is read, checked and spent in separate steps.",
      },
      "5.2-order": {
        requirement: "The API MUST check the content type, the body, the challenge and the signature in this order: 415, 400, 408, 406.",
        cause: "The signature is verified first, or the challenge is looked up before the body is validated.",
      },
      "5.2-intent": {
        requirement: "The API MUST answer 406 to a response with an intent and leave the session pending; null is the same as no intent.",
        cause: "The field is ignored, although codes of the hosted API do not have an intent, so someone has changed this one.",
      },
      "5.2-other-session": {
        requirement: "A session MUST accept responses only to its own challenges, and an unknown session MUST answer 408 to every response.",
        cause: "The challenge is looked up, but the session in the path is not compared with it.",
      },
      "5.2-other-domain": {
        requirement: "The API MUST answer 408 to a challenge with another domain, action or time than the issued one.",
        cause: "The nonce is looked up, but the rest of the challenge is not compared.",
      },
      "5.2-encodings": {
        requirement: "The API MUST accept compressed keys, a high s, and any letter case.",
        cause: "The library's defaults refuse what other wallets send.",
      },
      "5.2-signatures": {
        requirement: "The API MUST answer 406 to any other signature, such as lenient DER, other hashes or other keys, and leave the session pending.",
        cause: "The signature is parsed as BER, or verified over a text that the caller chose.",
      },
    },
  },
  "Fields of a session": {
    why: "The customer acts on these fields. An unrestricted `webhook_url` or `return_url` sends users and their logins elsewhere.",
    fix: "Validate the body with a schema. Compare the parsed host of a URL with the registered domain, never a part of the text, and answer with only the documented fields.",
    checks: {
      "5.2-created": {
        requirement: "A new session MUST get 201 with `id`, `challenge`, `qr_data`, `expires_at`, `status` and `created_at`.",
        cause: "A field has another name or type, or the session's row is sent unchanged.",
      },
      "5.2-challenge": {
        requirement: "The challenge MUST be `svc:{mode}:{domain}:{timestamp}:{nonce}` for the requested domain.",
        cause: "It contains the API's own host name, which wallets would then show.",
      },
      "5.2-mode": {
        requirement: "The challenge MUST contain the requested mode, `login` by default.",
        cause: "The mode is stored with the session, but not passed to the function that writes the challenge.",
      },
      "5.2-expires-at": {
        requirement: "`expires_at` MUST be 30 seconds after the challenge's timestamp.",
        cause: "It is the end of the session, or has another time zone.",
      },
      "5.2-qr-data": {
        requirement: "`qr_data` MUST be `svc://auth?…` with the session's webhook at this API, its id, its challenge and `ts`.",
        cause: "`APP_URL` belongs to another environment, or the payload is concatenated by hand.",
      },
      "5.2-random": {
        requirement: "Identifiers and nonces MUST be random, with 22 characters or more, and MUST NOT repeat.",
        cause: "They come from a counter or the time.",
      },
      "5.2-domain-unknown": {
        requirement: "A session for a domain that is not registered MUST get 422 `domain_not_registered`.",
        cause: "Any domain is accepted, so anyone gets challenges for any site.",
      },
      "5.2-types": {
        requirement: "The API MUST answer 400 `invalid_request` to a missing or malformed field.",
        cause: "Fields are used without validation.",
      },
      "5.2-webhook-url": {
        requirement: "The API MUST answer 400 to a session's `webhook_url` on another host than the domain's.",
        cause: "Any URL is accepted, or hosts are compared with `endsWith`, so anyone with the key can send users' logins elsewhere.",
      },
      "5.2-return-url": {
        requirement: "The API MUST answer 400 unless `metadata.return_url` is https on the domain.",
        cause: "The URL is passed on without validation, which is an open redirect after every login.",
      },
      "5.2-custom-data": {
        requirement: "The API MUST answer 400 to `metadata.custom_data` over 4 KB, counted in bytes.",
        cause: "Characters are counted, or the size is not limited.",
      },
      "5.2-accepts": {
        requirement: "The API MUST accept every valid session: URLs on the domain, 4 KB of data, unknown fields.",
        cause: "The validation is stricter than the rules.",
      },
      "5.2-pending": {
        requirement: "A pending session MUST be returned with only `id`, `status` and `expires_at`.",
        cause: "The session's row is sent, with the challenge or the customer's data.",
      },
      "5.2-authenticated": {
        requirement: "An authenticated session MUST be returned with its user: the key in canonical form, and the device's platform and version.",
        cause: "The key is returned as it was sent, so one user looks like two, or the device's id is returned.",
      },
      "5.2-unknown-session": {
        requirement: "An unknown session MUST be 404 `session_not_found`, whatever its identifier looks like.",
        cause: "A malformed identifier reaches the database.",
      },
    },
  },
  Idempotency: {
    why: "A customer that repeats a request after a lost answer must not get a second session.",
    fix: "Insert the tenant, the key and a hash of the body under a unique index before the work begins, and store the answer's bytes there. Answer 409 to another body.",
    checks: {
      "5.2-idempotency": {
        requirement: "The same `Idempotency-Key` and body MUST get exactly the same answer and MUST NOT create a second session.",
        cause: "The header is ignored, or the answer is rebuilt from a row that has changed since.",
      },
      "5.2-idempotency-conflict": {
        requirement: "The same `Idempotency-Key` with another body MUST get 409 `idempotency_conflict`.",
        cause: "Only the key is looked up, so the caller gets a session that it did not request.",
      },
      "5.2-idempotency-at-once": {
        requirement: "Several simultaneous copies of a request MUST create one session, and all of them get its answer.",
        cause: "The check whether the key was used is read and written in separate steps.",
      },
      "5.2-idempotency-key": {
        requirement: "The API MUST answer 400 to an `Idempotency-Key` that is empty, too long or not printable ASCII.",
        cause: "The key is stored in a column that truncates it, so two keys become one.",
      },
    },
  },
  "Lifetime of a session": {
    why: SITE_TEXTS["A challenge lives 30 seconds"].why,
    fix: "Store each challenge's own time of issue, and check the 30 seconds in the statement that spends it. A refresh adds a challenge and leaves the previous one unchanged. An authenticated session stays readable.",
    checks: {
      "5.2-refresh": {
        requirement: "A refresh MUST give the session a new challenge, and the previous one MUST stay valid until its own end.",
        cause: "A session has one challenge, and every refresh overwrites it.",
      },
      "5.2-refresh-mode": {
        requirement: "A refreshed challenge MUST have the same mode and domain.",
        cause: "The refresh has its own defaults.",
      },
      "5.2-refresh-authenticated": {
        requirement: "A refresh of an authenticated session MUST get 409 `session_already_authenticated`, and the session MUST stay authenticated.",
        cause: "The refresh writes `pending` before it checks the status.",
      },
      "5.2-expired": {
        requirement: "After 30 seconds a session MUST be 410 `session_expired` and its challenge 408, until a refresh revives it.",
        cause: "Expiry is left to a clean-up job, or ends the session permanently.",
      },
      "5.2-lives-30-seconds": {
        requirement: "The API MUST accept a challenge for its full 30 seconds.",
        cause: "The lifetime is shorter, or is counted from the start of the session.",
      },
      "5.2-answered-stays": {
        requirement: "An authenticated session MUST stay readable after its challenge has expired.",
        cause: "The end of the challenge is checked before the status.",
      },
    },
  },
  Lists: {
    why: "A list that skips or repeats entries silently loses a customer's data.",
    fix: "Order by time and id, newest first, and let the cursor name the last returned entry. Refuse any other `limit` and `cursor`.",
    checks: {
      "5.2-list": {
        requirement: "`GET /sessions` MUST list sessions newest first, in pages, and `next_cursor` MUST lead to all of them.",
        cause: "The order is left to the database, or the cursor skips entries with the same time.",
      },
      "5.2-list-query": {
        requirement: "A list MUST answer 400 unless `limit` is an integer from 1 to 100 and `cursor` is one that it returned.",
        cause: "The number is converted, so `limit=1e9` reads the whole table.",
      },
      "5.4-list": {
        requirement: "`GET /domains` MUST list domains newest first, in pages, and `next_cursor` MUST lead to all of them.",
        cause: "The order is left to the database, or the cursor skips entries with the same time.",
      },
    },
  },
  "Verifying a signature": {
    why: "Customers rely on `valid`. If an unreadable signature counts as a wrong one, it hides a mistake. If the operation signs someone in, it is a security hole.",
    fix: "Verify as the webhook does, without reading or writing a session, and distinguish a signature that does not verify (200, `valid` false) from one that cannot be parsed (400).",
    checks: {
      "5.3-valid": {
        requirement: "The API MUST answer a correct signature over any text with `valid` true, the key in canonical form, and the text's hash.",
        cause: "The text has to be a challenge, or is hashed in an encoding other than UTF-8.",
      },
      "5.3-encodings": {
        requirement: "The API MUST accept compressed keys, any letter case and a high s, and return the key in canonical form.",
        cause: "The library's defaults reject valid input from wallets.",
      },
      "5.3-invalid": {
        requirement: "The API MUST answer a well-formed signature that does not verify with 200 and `valid` false.",
        cause: "The result is not used, or a wrong signature gets an error.",
      },
      "5.3-unreadable": {
        requirement: "The API MUST answer 400 `invalid_signature` with the expected format to a key or signature that cannot be parsed.",
        cause: "The library's exception becomes `valid: false`, which hides the caller's mistake.",
      },
      "5.3-shape": {
        requirement: "The API MUST answer 400 `invalid_request` to a missing field, or one of another type.",
        cause: "Values are converted: `String(…)` turns anything into text.",
      },
      "5.3-authenticates-nobody": {
        requirement: "Verifying a session's challenge MUST leave the session pending and its challenge unspent.",
        cause: "One function handles both, and the verification spends the challenge.",
      },
    },
  },
  "Domains and their secrets": {
    why: "Anyone who can register another's domain gets challenges for that site. Anyone who learns the secret can forge its events.",
    fix: "Convert names to lower-case ASCII with the platform's `URL`, refuse names that are not public hosts, require a proof of ownership before live use, and show a secret once. Do not include inner addresses in an error.",
    checks: {
      "5.4-created": {
        requirement: "A new domain MUST get 201 with `id`, `domain`, `verified`, its token and its secret of 32 bytes.",
        cause: "A field has another name, or the secret is short or has another form.",
      },
      "5.4-own-secrets": {
        requirement: "Every domain MUST have a different secret and a different token.",
        cause: "The tenant's or the API's secret is returned.",
      },
      "5.4-shown-once": {
        requirement: "The webhook's secret MUST be shown once: later answers do not contain it.",
        cause: "The domain's row is sent with all of its columns.",
      },
      "5.4-twice": {
        requirement: "A second registration of the same domain MUST get 409 `domain_already_registered`, in any spelling.",
        cause: "Names are compared as they were sent.",
      },
      "5.4-names": {
        requirement: "The API MUST answer 400 to names that are not a customer's host name: schemes, ports, paths, IP addresses, wildcards, public suffixes.",
        cause: "The name is matched with a lenient pattern, or parsed with a URL parser that repairs it.",
      },
      "5.4-ascii": {
        requirement: "A name MUST be stored in lower-case ASCII, international names in punycode.",
        cause: "The name is stored as it was sent, so no challenge of a wallet ever matches it.",
      },
      "5.4-test-names": {
        requirement: "In test mode a name below `.test` MUST count as verified; with a live key it MUST be refused.",
        cause: "Both modes use the same rule.",
      },
      "5.4-proof": {
        requirement: "A domain without a proof MUST get 422 `domain_verification_failed` with the places that were checked, and without an IP address.",
        cause: "The lookup's error is passed on, which reveals the inner network, or the lookup is missing.",
      },
      "5.4-changed": {
        requirement: "`PATCH /domains/{id}` MUST change the webhook URL and nothing else.",
        cause: "The body is merged into the row with all of its fields.",
      },
      "5.4-rotated": {
        requirement: "A rotation MUST return a new secret and the time until which the previous one is used too: 24 hours.",
        cause: "The old secret ends immediately, so receivers refuse every event in transit.",
      },
      "5.4-deleted": {
        requirement: "A deleted domain and its sessions MUST be 404, its challenges 408, and its name MUST be available again.",
        cause: "The domain is only marked as deleted, and reading a session does not check that.",
      },
      "5.4-unknown": {
        requirement: "An unknown domain MUST be 404 `domain_not_found`.",
        cause: "An unknown or malformed identifier reaches the database.",
      },
    },
  },
  "Webhook URLs": {
    why: "The API connects to URLs that its customers choose. A private address turns it into a tunnel to your own network.",
    fix: "Parse the URL with `URL`, require https and a public host name, and check the address that it resolves to at every attempt: resolve once, and connect to that address.",
    checks: {
      "5.5-form": {
        requirement: "The API MUST answer 400 unless a webhook URL is absolute, without user info and fragment, and at most 2,048 characters long.",
        cause: "Every URL that `new URL` accepts is used.",
      },
      "5.5-port": {
        requirement: "The API MUST answer 400 unless a webhook URL's port is absent or 1 to 65535, and not one that browsers block.",
        cause: "The port is not checked.",
      },
      "5.5-host": {
        requirement: "The API MUST answer 400 unless a webhook URL's host is a syntactically valid name.",
        cause: "Only the URL parser checks the host, and it accepts names that no name server does.",
      },
      "5.5-public-suffix": {
        requirement: "The API MUST answer 400 to a public suffix as a webhook's host.",
        cause: "Two labels count as enough.",
      },
      "5.5-inner-names": {
        requirement: "The API MUST answer 400 to names that are not public: single labels, special-use names, names of inner networks, and suffixes below which no names can be registered.",
        cause: "Events can reach the API's own network. If the operator allows this (`WEBHOOK_ALLOW_CIDRS`), the failure is expected.",
      },
      "5.5-addresses": {
        requirement: "The API MUST answer 400 to an IP address that is not public, in every spelling.",
        cause: "The cloud's metadata and inner services can be called: server-side request forgery.",
      },
      "5.5-https": {
        requirement: "The API MUST answer 400 to http with a public name.",
        cause: "The scheme is not checked.",
      },
      "5.5-accepts": {
        requirement: "The API MUST accept a webhook URL on any public name, with port, path and query.",
        cause: "The URL has to be on the domain itself, or must not have a port.",
      },
    },
  },
  "Events are signed, and sent until they are accepted": {
    why: "Customers sign users in when an event arrives. An event that does not verify is ignored, and a lost event is a login that never completes.",
    fix: "Write the event in the transaction that authenticates the session. Serialize it once, then sign and send those bytes. Retry with growing pauses until a 2xx, with the same `webhook-id`.",
    checks: {
      "5.6-sent": {
        requirement: "An authenticated session MUST send one event to its domain's URL, with POST, as JSON.",
        cause: "Events are not sent, or the worker that sends them is not running. Start here.",
      },
      "5.6-sent-body": {
        requirement: "An event MUST have its type, time and session and the wallet's response, and all of it MUST verify.",
        cause: "Fields are renamed, or the key and the signature have another spelling than the challenge's.",
      },
      "5.6-sent-standard": {
        requirement: "`webhook-signature` MUST be Standard Webhooks' signature over the exact bytes that arrive, with the secret's bytes as the key.",
        cause: "The JSON is serialized twice, or the key is the secret's text.",
      },
      "5.6-sent-svc": {
        requirement: "`x-svc-signature` MUST be the hex HMAC over the exact bytes that arrive, with the secret's text as the key.",
        cause: "The key is the secret's bytes, or the signed text includes the timestamp.",
      },
      "5.6-sent-rotated": {
        requirement: "After a rotation, `webhook-signature` MUST have the signatures of both secrets, the new one first.",
        cause: "The old secret ends immediately, so receivers refuse events until they are deployed again.",
      },
      "5.6-sent-test": {
        requirement: "A test event MUST be signed like every event, with `test` as its type and its session.",
        cause: "A separate function sends test events in another shape.",
      },
      "5.6-sent-for-success": {
        requirement: "A refused response MUST NOT send an event.",
        cause: "The event is queued before the response is verified.",
      },
      "5.6-sent-again": {
        requirement: "After a 500 the event MUST be sent again with the same `webhook-id`, the same bytes and a new timestamp.",
        cause: "The first failure ends the attempts, or the event is serialized again for every attempt.",
      },
      "5.6-sent-redirect": {
        requirement: "A redirect MUST count as a failure and MUST NOT be followed.",
        cause: "The HTTP client follows redirects by default, even into its own network.",
      },
      "5.6-sent-any-2xx": {
        requirement: "Any 2xx MUST count as success: the event is recorded as delivered and not sent again.",
        cause: "Only 200 counts, so an event that gets 202 is sent for three days.",
      },
      "5.6-sent-410": {
        requirement: "A 410 MUST disable the endpoint until its URL is set again.",
        cause: "A 410 counts as any other failure, so a receiver that no longer exists is called for days.",
      },
      "5.6-sent-later": {
        requirement: "The next attempt MUST respect `Retry-After`.",
        cause: "The schedule only uses its own pauses.",
      },
      "5.6-resent": {
        requirement: "An event that is resent manually MUST have the same `webhook-id` and the same bytes.",
        cause: "A new event is created, and receivers process it a second time.",
      },
      "5.6-listed": {
        requirement: "`GET /deliveries` MUST list events newest first, and only those of one session or domain on request.",
        cause: "A filter is ignored, or the order is left to the database.",
      },
    },
  },
} as const satisfies Texts;

export type HostedId = IdOf<typeof HOSTED_TEXTS>;
