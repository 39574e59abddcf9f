import type { IdOf, Texts } from "../check.ts";
import { SITE_CHECK_TEXTS, SITE_TEXTS } from "./site.ts";

export const HOSTED_TEXTS = {
  "Errors have one shape": {
    why: SITE_TEXTS["Errors have one shape"].why,
    fix: SITE_TEXTS["Errors have one shape"].fix,
    checks: {
      "2.1-api-errors": { requirement: "Every error response of the API MUST have an `error` with `code`, `message` and `details`, and the code MUST match the HTTP status.", cause: SITE_CHECK_TEXTS["2.1-error-body"].cause },
      "2.1-api-tells-nothing-inner": { requirement: "An API error MUST NOT contain a stack trace, SQL or a file path on the server.", cause: SITE_CHECK_TEXTS["2.1-tells-nothing-inner"].cause },
      "2.1-api-server-fault": { requirement: "The API MUST NOT return a 5xx for any request that the kit sends in this run.", cause: SITE_CHECK_TEXTS["2.1-server-fault"].cause },
      "2.1-api-paths": { requirement: "The API MUST return 404 for unknown paths and 405 with `Allow` for unsupported methods, with the same JSON body as other errors.", cause: SITE_CHECK_TEXTS["2.1-unknown-path"].cause },
    },
  },
  "Hostile input": {
    why: SITE_TEXTS["Hostile input"].why,
    fix: SITE_TEXTS["Hostile input"].fix,
    checks: {
      "2.2-api-bodies": {
        requirement: "The API MUST return 400 for a body that is not a JSON object or is nested too deeply, 413 for a body that is too large, and 415 for a body with a content type other than JSON.",
        cause: "The API does not catch the JSON parser's exception, or does not limit the size and the depth of a body.",
      },
      "2.2-api-query": { requirement: "The API MUST return 400 for a query that repeats a parameter or has more than 64 parameters.", cause: "The API uses one of the two values, and a proxy in front of it may use the other." },
    },
  },
  "Headers for caches, browsers and support": {
    why: SITE_TEXTS["Headers for caches, browsers and support"].why,
    fix: SITE_TEXTS["Headers for caches, browsers and support"].fix,
    checks: {
      "2.3-api-request-id": { requirement: "Each API response MUST have a unique `X-Request-Id`.", cause: "Only successful responses have the header." },
      "2.3-api-no-store": { requirement: "Every response about a session MUST have `Cache-Control: no-store`.", cause: "The framework's default lets a proxy cache challenges and statuses." },
      "2.3-api-cors-wallets": {
        requirement: "A wallet that runs in a browser MUST be able to respond to a session's challenge. To make this possible, the API's response to a preflight request MUST allow the wallet's request, and every origin MUST be able to read the API's response to the wallet.",
        cause: "The API sets CORS headers on its own site's webhooks, but not on the webhook for sessions.",
      },
      "2.3-api-cors-elsewhere": { requirement: "Other origins MUST NOT be able to read the API's responses, except for its responses to wallets.", cause: "The API enables CORS for all of its paths, so customers can put their API keys into web pages." },
    },
  },
  Limits: {
    why: SITE_TEXTS.Limits.why,
    fix: SITE_TEXTS.Limits.fix,
    checks: {
      "2.4-api-headers": { requirement: "The responses of every operation MUST have `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`.", cause: SITE_CHECK_TEXTS["2.4-headers"].cause },
      "2.4-api-retry-after": { requirement: "A 429 from the API MUST have a `Retry-After` header, and `details.retry_after` in the body MUST be the same number.", cause: "The rate limiter or a proxy sends the 429 instead of the API." },
      "2.4-api-sessions-limited": { requirement: "The API MUST limit new sessions to 100 a minute per tenant. A tenant that has reached this limit MUST still be able to read sessions.", cause: "The API does not count requests, or uses one counter for all operations." },
      "2.4-api-failures-limited": {
        requirement: "The API MUST limit requests with unknown keys to 60 a minute per client address, and MUST still accept a valid key from that address.",
        cause: "The API does not limit these requests, so attackers can try any number of keys. Another cause is that the API also refuses valid keys, so an attacker who shares the customer's IP address can lock the customer out.",
      },
    },
  },
  "API keys": {
    why: "Only the API key distinguishes a customer's server from other clients. If the key appears in a URL's query or in a log, others can read it.",
    fix: "Read the `Authorization: Bearer` header before you read anything else in the request. Look up the key's hash among the keys of this environment. If there is no such key, return 401 `invalid_api_key` with `WWW-Authenticate: Bearer`.",
    checks: {
      "5.1-no-key": { requirement: "Every operation MUST return 401 `invalid_api_key` with `WWW-Authenticate: Bearer` for a request without a key.", cause: "Each handler has to check the key itself, and one of them does not." },
      "5.1-unknown-key": { requirement: "The API MUST reject an unknown key, even if it is well-formed.", cause: "The API checks only the format of the key, or looks up only part of the key." },
      "5.1-bearer-only": { requirement: "The API MUST accept the key only as a bearer token, never in the query, in any other header or with any other scheme.", cause: "The API reads the key from several places, and the key in one of these places is written to logs." },
      "5.1-other-base": { requirement: "The API MUST reject a key from the other environment. `/v1` MUST accept only live keys, and `/sandbox/v1` MUST accept only test keys.", cause: "The API selects the data only by the key and ignores the base URL, so a test key works on the live URL." },
      "5.1-before-body": { requirement: "The API MUST check the key before it reads the body, and return 401 even if the body is malformed.", cause: "The API parses the body first, so clients without a key can keep the server busy and find out how it validates input." },
      "5.1-openapi": {
        requirement: "`GET /openapi.json` below the base URL MUST return an OpenAPI document that describes every operation, and MUST NOT require a key.",
        cause: "The document is maintained manually and is out of date.",
        fix: "Generate the document from the same list of operations that the API serves.",
      },
    },
  },
  "Tenants are separate": {
    why: "If the tenants are not separate, a customer can read or end another customer's logins.",
    fix: "Add the key's tenant to the `WHERE` clause of every statement, including those for lists and idempotency keys. Return 404 for another tenant's data, as if the data did not exist.",
    checks: {
      "5.1-foreign-session": { requirement: "The API MUST return 404 `session_not_found` for another tenant's session.", cause: "The API looks up the session only by its identifier." },
      "5.1-foreign-domain": { requirement: "Every operation MUST return 404 `domain_not_found` for another tenant's domain and MUST NOT change the domain.", cause: "One of the operations looks up the domain only by its identifier." },
      "5.1-foreign-name": { requirement: "The API MUST return 422 `domain_not_registered` if a session is requested for a domain that only another tenant has registered.", cause: "The API looks up only the domain, without the tenant." },
      "5.1-foreign-lists": { requirement: "Lists MUST NOT contain another tenant's data, regardless of the filter in the request.", cause: "A filter replaces the condition that separates tenants." },
      "5.1-own-idempotency": { requirement: "If two tenants use the same `Idempotency-Key`, the API MUST NOT return one tenant's response to the other tenant.", cause: "The API looks up stored responses by the `Idempotency-Key`, without the tenant." },
    },
  },
  "A session is answered once": {
    why: SITE_TEXTS["A challenge succeeds once"].why,
    fix: "Check the body, the challenge and the signature in this order, and use one statement that spends the challenge and authenticates its session, but only if the session is still pending. Return 408 for every later response.",
    checks: {
      "5.2-answer": { requirement: "The API MUST return 200 for a correct response from any wallet, because only the customer knows which keys have an account.", cause: "The API looks up the key among the users of its own site, or the webhook does not work. Fix this first." },
      "5.2-single-use": { requirement: "The API MUST accept at most one response for each session, and MUST return 408 for every further response, whichever wallet sends it.", cause: "The API does not mark used challenges, so a different wallet can replace the user of a session." },
      "5.2-final": { requirement: "Once the API has accepted a response for a session, it MUST NOT let a response to an older challenge change the session's user.", cause: "The older challenges of a session stay valid after a response to a newer one has been accepted." },
      "5.2-at-once": { requirement: "If many responses to a challenge arrive simultaneously, the API MUST accept exactly one of them and return 408 for the others.", cause: "The API reads, checks and spends the challenge in separate steps." },
      "5.2-order": { requirement: "The API MUST check the content type (415), the body (400), the challenge (408) and the signature (406) in this order.", cause: "The API verifies the signature first, or looks up the challenge before it validates the body." },
      "5.2-intent": {
        requirement: "The API MUST return 406 for a response with an intent, and the session MUST still be pending afterwards. An `intent` of null means that there is no intent.",
        cause: "The API ignores the field. A hosted API never issues a code with an intent, so an intent shows that someone changed the code.",
      },
      "5.2-other-session": { requirement: "The API MUST accept a response only for the session to which its challenge belongs, and MUST return 408 for a response to an unknown session.", cause: "The API looks up the challenge, but does not compare the challenge's session with the session in the path." },
      "5.2-other-domain": { requirement: "The API MUST return 408 for a challenge whose domain, action or time differs from the challenge that the API issued.", cause: "The API looks up the nonce, but does not compare the rest of the challenge." },
      "5.2-encodings": { requirement: "The API MUST accept compressed keys, signatures with a high s, and hex in any letter case.", cause: "With its default settings, the library refuses valid input from some wallets." },
      "5.2-signatures": { requirement: "The API MUST return 406 for a signature that is not strict DER, that is over a different hash, or that was made with a different key. The session MUST still be pending afterwards.", cause: "The API parses the signature as BER, or verifies it over text that the caller chose." },
    },
  },
  "Fields of a session": {
    why: "Customers rely on these fields. If `webhook_url` or `return_url` is not restricted, an attacker can use it to send users and their logins to a different site.",
    fix: "Validate the body with a schema. Parse each URL and compare its host with the registered domain. Never compare only part of the URL's text. Return only the documented fields.",
    checks: {
      "5.2-created": { requirement: "For a new session, the API MUST return 201 with `id`, `challenge`, `qr_data`, `expires_at`, `status` and `created_at`.", cause: "A field has a different name or type, or the API sends the session's database row unchanged." },
      "5.2-challenge": { requirement: "A session's challenge MUST be `svc:{mode}:{domain}:{timestamp}:{nonce}` with the requested domain.", cause: "The challenge contains the API's own host name, which wallets would then show." },
      "5.2-mode": { requirement: "A session's challenge MUST contain the requested mode, or `login` if the request does not contain a mode.", cause: "The API stores the mode with the session, but does not pass it to the function that writes the challenge." },
      "5.2-expires-at": { requirement: "`expires_at` MUST be 30 seconds after the challenge's timestamp.", cause: "The value is the end of the session, or is in a different time zone." },
      "5.2-qr-data": { requirement: "`qr_data` MUST have the form `svc://auth?…` and contain the session's webhook at this API, the session's id, the challenge and `ts`.", cause: "The API is configured with the wrong environment's origin, or concatenates the payload without encoding its parts." },
      "5.2-random": { requirement: "Identifiers and nonces MUST be random, MUST have at least 22 characters, and MUST NOT repeat.", cause: "The identifiers are derived from a counter or from the time." },
      "5.2-domain-unknown": { requirement: "The API MUST return 422 `domain_not_registered` if a session is requested for a domain that is not registered.", cause: "The API accepts any domain, so its customers can get challenges for any site." },
      "5.2-types": { requirement: "If a field in a request for a session is missing or malformed, the API MUST return 400 `invalid_request`.", cause: "The API uses fields without validating them." },
      "5.2-webhook-url": { requirement: "The API MUST return 400 if a session's `webhook_url` is not on the session's domain.", cause: "The API accepts any URL or compares hosts with `endsWith`, so anyone who has the key can send users' logins to a different server." },
      "5.2-return-url": { requirement: "The API MUST return 400 unless `metadata.return_url` is an HTTPS URL on the session's domain.", cause: "The API returns the URL without validating it, which creates an open redirect after every login." },
      "5.2-custom-data": { requirement: "The API MUST return 400 if `metadata.custom_data` is larger than 4 KB, counted in bytes.", cause: "The limit counts characters instead of bytes, or there is no limit." },
      "5.2-accepts": { requirement: "The API MUST accept every valid request for a session, including requests with URLs on the domain, 4 KB of custom data or unknown fields.", cause: "The validation is stricter than the protocol." },
      "5.2-pending": { requirement: "For a pending session, the API MUST return only `id`, `status` and `expires_at`.", cause: "The API sends the complete database row of the session, including the challenge or the customer's data." },
      "5.2-authenticated": { requirement: "For an authenticated session, the API MUST also return the user, with the key in canonical form and the device's platform and version.", cause: "The API returns the key exactly as it was received, so one user looks like two, or the response contains the device's id." },
      "5.2-unknown-session": { requirement: "The API MUST return 404 `session_not_found` for an unknown session, even if its identifier is malformed.", cause: "A malformed identifier reaches the database." },
    },
  },
  Idempotency: {
    why: "If a customer repeats a request because a response was lost, the customer must not get a second session.",
    fix: "Before you create the session, insert the tenant, the `Idempotency-Key` and a hash of the body into a table with a unique index. Store the bytes of the response in the same row. If the key is used again with a different body, return 409.",
    checks: {
      "5.2-idempotency": { requirement: "Requests with the same `Idempotency-Key` and body MUST get exactly the same response and MUST NOT create a second session.", cause: "The API ignores the header, or rebuilds the response from a row that has changed in the meantime." },
      "5.2-idempotency-conflict": { requirement: "The API MUST return 409 `idempotency_conflict` if an `Idempotency-Key` is sent again with a different body.", cause: "The API compares only the key, so the caller gets a session that it did not request." },
      "5.2-idempotency-at-once": { requirement: "Simultaneous copies of a request MUST create only one session, and all copies MUST get the same response.", cause: "The API uses separate steps to check whether the key has been used and to insert it." },
      "5.2-idempotency-key": { requirement: "The API MUST return 400 for an `Idempotency-Key` that is empty, too long or not printable ASCII.", cause: "The key is stored in a column that truncates it, so two keys become one." },
    },
  },
  "Lifetime of a session": {
    why: SITE_TEXTS["A challenge lives 30 seconds"].why,
    fix: "Store the time of issue with each challenge, and enforce the 30-second limit in the statement that spends the challenge. When a session is refreshed, add a challenge and do not change the previous one. Let customers read an authenticated session even after its challenge has expired.",
    checks: {
      "5.2-refresh": { requirement: "A refresh MUST add a new challenge to the session, and the previous challenge MUST remain valid until its own lifetime ends.", cause: "A session has only one challenge, and every refresh overwrites it." },
      "5.2-refresh-mode": { requirement: "A refreshed challenge MUST have the same mode and domain as the previous one.", cause: "The refresh uses its own default values." },
      "5.2-refresh-authenticated": { requirement: "For an authenticated session, a refresh MUST return 409 `session_already_authenticated`, and the session MUST still be authenticated afterwards.", cause: "The refresh sets the status to `pending` before it checks the current status." },
      "5.2-expired": {
        requirement: "When the challenge of a pending session is older than 30 seconds, the API MUST return 410 `session_expired` when the session is read, and 408 for a response to the challenge, until a refresh adds a new challenge.",
        cause: "Only a clean-up job ends sessions, or an expired session cannot be refreshed.",
      },
      "5.2-lives-30-seconds": { requirement: "The API MUST accept a challenge for its full 30 seconds.", cause: "The lifetime is shorter than 30 seconds, or it starts with the session instead of the challenge." },
      "5.2-answered-stays": { requirement: "Customers MUST be able to read an authenticated session after its challenge has expired.", cause: "The API checks whether the challenge has expired before it checks the status." },
    },
  },
  Lists: {
    why: "If a list skips or repeats entries, customers get incomplete or duplicate data without noticing.",
    fix: "Sort the list by time and id, with the newest entries first. Let the cursor identify the last entry that was returned. Reject an invalid `limit` or `cursor`.",
    checks: {
      "5.2-list": { requirement: "`GET /sessions` MUST list sessions in pages, with the newest first. A client that follows `next_cursor` MUST get all sessions.", cause: "The query has no `ORDER BY`, or the cursor skips entries with the same time." },
      "5.2-list-query": { requirement: "The API MUST return 400 for a list request unless `limit` is an integer from 1 to 100 and `cursor` is a value that the API returned.", cause: "The API converts `limit` to a number without checking it, so `limit=1e9` reads the entire table." },
      "5.4-list": { requirement: "`GET /domains` MUST list domains in pages, with the newest first. A client that follows `next_cursor` MUST get all domains.", cause: "The query has no `ORDER BY`, or the cursor skips entries with the same time." },
    },
  },
  "Verifying a signature": {
    why: "Customers rely on `valid`. If the API reports `valid: false` when it cannot parse a signature, customers do not notice mistakes in their code. If the operation also authenticates a session, it is a vulnerability.",
    fix: "Verify the signature with the same code as the webhook, but do not read or write a session. Return 200 with `valid` false for a signature that does not verify, and 400 for a signature that cannot be parsed.",
    checks: {
      "5.3-valid": { requirement: "For a correct signature over any text, the API MUST return `valid: true`, the key in canonical form, and the hash of the text.", cause: "The API accepts only challenges, or hashes the text in an encoding other than UTF-8." },
      "5.3-encodings": { requirement: "The API MUST accept compressed keys, signatures with a high s, and hex in any letter case. It MUST return the key in canonical form.", cause: "With its default settings, the library refuses valid input from some wallets." },
      "5.3-invalid": { requirement: "For a well-formed signature that does not verify, the API MUST return 200 and `valid` false.", cause: "The API does not use the result of the verification, or returns an error if the signature is wrong." },
      "5.3-unreadable": { requirement: "For a key or a signature that cannot be parsed, the API MUST return 400 `invalid_signature` and describe the expected format.", cause: "The API converts the library's exception to `valid: false`, which hides the caller's mistake." },
      "5.3-shape": { requirement: "If a field in a request to verify a signature is missing or has the wrong type, the API MUST return 400 `invalid_request`.", cause: "The API converts values to strings instead of validating them." },
      "5.3-authenticates-nobody": { requirement: "If a customer verifies a signature over a session's challenge, the session MUST still be pending afterwards and the challenge MUST NOT be spent.", cause: "The operation uses the same code as the webhook, so the verification spends the challenge." },
    },
  },
  "Domains and their secrets": {
    why: "Anyone who can register another customer's domain can get challenges for that site. Anyone who learns a domain's secret can forge its events.",
    fix: "Convert names to lower-case ASCII with a URL parser, and refuse names that are not public hosts. Require proof of ownership before a domain is used with live keys. Show each secret only once. Do not include internal IP addresses in an error.",
    checks: {
      "5.4-created": { requirement: "When a domain is registered, the API MUST return 201 with `id`, `domain`, `verified`, the domain's verification token, and a secret of 32 bytes.", cause: "A field has a different name, or the secret is shorter or in a different format." },
      "5.4-own-secrets": { requirement: "Every domain MUST have a different secret and a different token.", cause: "The API uses the same secret for all domains of a tenant, or for all tenants." },
      "5.4-shown-once": { requirement: "The API MUST show the webhook secret only once, so later responses MUST NOT contain it.", cause: "The API sends the domain's database row with all of its columns." },
      "5.4-twice": { requirement: "The API MUST return 409 `domain_already_registered` for a domain that is already registered, regardless of its spelling.", cause: "The API compares names in the form in which they were sent." },
      "5.4-names": {
        requirement: "The API MUST return 400 for a name that cannot be a customer's host name, such as an IP address, a wildcard, a public suffix, or a name with a scheme, a port or a path.",
        cause: "The API matches the name with a pattern that is too lenient, or uses a URL parser that corrects invalid names.",
      },
      "5.4-ascii": { requirement: "The API MUST store names in lower-case ASCII, and international names in punycode.", cause: "The API stores the name in the form in which it was sent, so the name never matches a challenge." },
      "5.4-test-names": { requirement: "In test mode, a name under `.test` MUST count as verified. With a live key, the API MUST reject such a name.", cause: "Both modes use the same rule." },
      "5.4-proof": {
        requirement: "If there is no proof of ownership for a domain, the API MUST return 422 `domain_verification_failed` and list the places that it checked. The error MUST NOT contain an IP address.",
        cause: "The API returns the DNS error, which reveals the internal network, or does not look up the proof.",
      },
      "5.4-changed": { requirement: "`PATCH /domains/{id}` MUST change only the webhook URL.", cause: "The API merges all fields of the body into the database row." },
      "5.4-rotated": {
        requirement: "When a secret is rotated, the API MUST return a new secret and the time until which it will also sign events with the previous secret. This time MUST be 24 hours after the rotation.",
        cause: "The previous secret becomes invalid immediately, so receivers reject all events that are in transit.",
      },
      "5.4-deleted": { requirement: "After a domain is deleted, the API MUST return 404 for the domain and its sessions, and 408 for responses to its challenges. It MUST be possible to register the name again.", cause: "The API only marks the domain as deleted, and ignores this mark when it reads a session." },
      "5.4-unknown": { requirement: "The API MUST return 404 `domain_not_found` for an unknown domain.", cause: "An unknown or malformed identifier reaches the database." },
    },
  },
  "Webhook URLs": {
    why: "The API connects to URLs that its customers choose. If it accepts private addresses, customers can send requests to your internal network.",
    fix: "Parse the URL with a URL parser, and require HTTPS and a public host name. For every attempt, resolve the name once, check the resulting IP address, and connect to this address.",
    checks: {
      "5.5-form": { requirement: "The API MUST return 400 unless a webhook URL is absolute, has no user info or fragment, and is at most 2,048 characters long.", cause: "The API accepts every URL that its URL parser accepts." },
      "5.5-port": { requirement: "If a webhook URL has a port, the API MUST return 400 unless the port is between 1 and 65535 and browsers do not block it.", cause: "The API does not check the port." },
      "5.5-host": { requirement: "The API MUST return 400 unless a webhook URL's host is a syntactically valid name.", cause: "Only the URL parser checks the host, and this parser accepts names that DNS does not allow." },
      "5.5-public-suffix": { requirement: "The API MUST return 400 if a webhook's host is a public suffix.", cause: "The API only checks that the name has two labels." },
      "5.5-inner-names": {
        requirement: "The API MUST return 400 for webhook URLs with names that are not public. These are single labels, special-use names, names that are used in internal networks, and suffixes under which names cannot be registered.",
        cause: "The API accepts these names, so events can reach its own network. If the operator allows this with `WEBHOOK_ALLOW_CIDRS`, the failure is expected.",
      },
      "5.5-addresses": {
        requirement: "The API MUST return 400 for a webhook URL with an IP address that is not public, whatever the notation of the IP address.",
        cause: "The API accepts such addresses, so customers can make it send requests to the cloud provider's metadata service and to internal services (server-side request forgery).",
      },
      "5.5-https": { requirement: "The API MUST return 400 for a webhook URL that uses HTTP and has a public host name.", cause: "The API does not check the scheme." },
      "5.5-accepts": { requirement: "The API MUST accept a webhook URL with any public host name, with a port, a path and a query.", cause: "The API accepts only URLs on the registered domain, or only URLs without a port." },
    },
  },
  "Events are signed, and sent until they are accepted": {
    why: "Customers sign a user in when they receive the event. If an event does not verify or is lost, the user's login never completes.",
    fix: "Write the event to the database in the transaction that authenticates the session. Serialise the event once, then sign and send these bytes. Retry with the same `webhook-id`, at increasing intervals, until the receiver returns a 2xx.",
    checks: {
      "5.6-sent": { requirement: "When a session is authenticated, the API MUST post one event as JSON to the domain's webhook URL.", cause: "The API does not send events, or the worker that sends them is not running. Fix this first." },
      "5.6-sent-body": { requirement: "An event MUST contain its type, its time, its session and the wallet's response, and the response's signature MUST verify.", cause: "Fields have different names, or the API changes the key or the signature after verifying it." },
      "5.6-sent-standard": { requirement: "`webhook-signature` MUST be a Standard Webhooks signature over the exact bytes that are sent, with the 32 bytes of the decoded secret as the key.", cause: "The API serialises the JSON twice, or uses the secret's text as the key without decoding it." },
      "5.6-sent-svc": { requirement: "`x-svc-signature` MUST be the hex of an HMAC over the exact bytes that are sent, with the secret's text, including `whsec_`, as the key.", cause: "The API decodes the secret before using it as the key, or includes the timestamp in the signed text." },
      "5.6-sent-rotated": {
        requirement: "After a secret is rotated, `webhook-signature` MUST contain two signatures, the first with the new secret and the second with the previous secret.",
        cause: "The previous secret becomes invalid immediately, so receivers reject events until they are configured with the new secret.",
      },
      "5.6-sent-test": { requirement: "A test event MUST be signed like every other event, and MUST have the type `test` and a session.", cause: "A separate function sends test events in a different format." },
      "5.6-sent-for-success": { requirement: "The API MUST NOT send an event for a refused response.", cause: "The API queues the event before it verifies the response." },
      "5.6-sent-again": { requirement: "After a 500, the API MUST send the event again with the same `webhook-id`, the same bytes and a new timestamp.", cause: "The API does not retry after the first failure, or serialises the event again for every attempt." },
      "5.6-sent-redirect": { requirement: "The API MUST treat a redirect as a failure and MUST NOT follow it.", cause: "The HTTP client follows redirects by default, including redirects into the API's own network." },
      "5.6-sent-any-2xx": { requirement: "The API MUST treat any 2xx as success, record the event as delivered, and MUST NOT send it again.", cause: "The API treats only 200 as success, so it keeps sending an event for three days if the receiver returns 202." },
      "5.6-sent-410": { requirement: "After a 410, the API MUST disable the endpoint until the customer sets its URL again.", cause: "The API treats a 410 like any other failure, so for days it sends requests to a receiver that no longer exists." },
      "5.6-sent-later": { requirement: "Before the API sends an event again, it MUST wait for as long as `Retry-After` specifies, up to a day.", cause: "The retry schedule ignores the header." },
      "5.6-resent": { requirement: "If a customer resends an event, the event MUST have the same `webhook-id` and the same bytes.", cause: "The API creates a new event, so receivers process it a second time." },
      "5.6-listed": { requirement: "`GET /deliveries` MUST list events with the newest first, and MUST support filtering by session or domain.", cause: "The API ignores a filter, or its query has no `ORDER BY`." },
    },
  },
} as const satisfies Texts;

export type HostedId = IdOf<typeof HOSTED_TEXTS>;
