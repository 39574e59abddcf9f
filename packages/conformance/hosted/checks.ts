import { type Check, checksOf, type Families } from "../check.ts";
import { FAMILIES_OF_LOGIN } from "../server/checks.ts";
import type { Api } from "./api.ts";
import { AUTHENTICATION_CHECKS, TENANT_CHECKS } from "./authentication.ts";
import { DOMAIN_CHECKS, LIST_CHECKS } from "./domains.ts";
import { EVENT_ATTEMPT_CHECKS, EVENT_CHECKS } from "./events.ts";
import { HOSTED_LIMIT_CHECKS, RULE_CHECKS } from "./rules.ts";
import { IDEMPOTENCY_CHECKS, SESSION_LIFE_CHECKS } from "./session-life.ts";
import { SESSION_CHECKS } from "./sessions.ts";
import { SESSION_RESPONSE_CHECKS, VERIFY_CHECKS } from "./signatures.ts";
import { WEBHOOK_URL_CHECKS } from "./webhook-urls.ts";

/** The checks of a hosted API, by what they guard. */
export const FAMILIES_OF_HOSTED_API: Families = {
  "API keys": {
    of: ["5.1-no-key", "5.1-unknown-key", "5.1-bearer", "5.1-other-base", "5.1-before-body", "5.1-openapi"],
    why: "The key is all that tells a customer's server from everybody else. In a query or a log it is read by others.",
    mend: "Read `Authorization: Bearer` before anything else of the request, look the key's hash up in this base's own keys, and answer 401 `invalid_api_key` with `WWW-Authenticate: Bearer`.",
  },
  "Tenants are apart": {
    of: ["5.1-foreign", "5.1-own-idempotency"],
    why: "One customer would read or end another customer's logins.",
    mend: "Put the tenant of the key into the `WHERE` of every statement, lists and idempotency keys too. What is another's is 404, as if it did not exist.",
  },
  "A session is answered once": {
    of: [
      ...["5.2-answer", "5.2-single-use", "5.2-final", "5.2-at-once", "5.2-order", "5.2-intent"],
      ...["5.2-other", "5.2-encodings", "5.2-signatures"],
    ],
    why: "Whoever records a wallet's response, or sends it twice, would sign in again, or as somebody else.",
    mend: "Judge shape, challenge and signature in this order, and let one statement spend the challenge and authenticate its session, only where it is still pending. Everything later is 408.",
  },
  "What a session is made of": {
    of: ["5.2-"],
    why: "The customer acts on these fields. An open `webhook_url` or `return_url` sends users and their logins elsewhere.",
    mend: "Validate the body with a schema. Compare URLs by their parsed host with the registered domain's, never by a part of the text, and answer with the documented fields alone.",
  },
  Idempotency: {
    of: ["5.2-idempotency"],
    why: "A customer that repeats a request after a lost answer must not get a second session.",
    mend: "Insert tenant, key and a hash of the body under a unique index before the work begins, and keep the answer's bytes there. Another body is 409.",
  },
  "How long a session lives": {
    of: ["5.2-expired", "5.2-lives", "5.2-answered-stays", "5.2-refresh"],
    why: "An old photograph of the code must be worth nothing, and who approves in time must not be turned away.",
    mend: "Keep each challenge's own time of issue, and put 30 seconds into the statement that spends it. A refresh adds a challenge and leaves the one before as it is. An answered session stays.",
  },
  Lists: {
    of: ["5.2-list", "5.4-list"],
    why: "A list that skips or repeats entries loses a customer's data without a word.",
    mend: "Order by time and id, newest first, and let the cursor name the last entry that was given. Refuse every other `limit` and `cursor`.",
  },
  "Verifying a signature": {
    of: ["5.3-"],
    why: "Customers decide by `valid`. An unreadable signature that counts as a wrong one hides a mistake, and one that signs somebody in is a hole.",
    mend: "Verify as the webhook does, read and write no session, and keep apart what does not verify (200, `valid` false) and what cannot be read (400).",
  },
  "Domains and their secrets": {
    of: ["5.4-"],
    why: "Whoever may name another's domain gets challenges in its name. Whoever learns the secret forges its events.",
    mend: "Bring names into lower-case ASCII with the platform's `URL`, refuse what is no public host name, prove ownership before live use, and show a secret once. Say nothing of inner addresses in an error.",
  },
  "Webhook URLs": {
    of: ["5.5-"],
    why: "The API dials what its customers name. A private address makes it a tunnel into your own network.",
    mend: "Parse with `URL`, require https and a public host name, and judge the address that it resolves to at every attempt: resolve once, and dial that address.",
  },
  "Events are signed, and sent until they are taken": {
    of: ["5.6-sent", "5.6-resent", "5.6-listed"],
    why: "A customer signs users in by events. One that cannot be verified is ignored, and one that is lost is a login that never ends.",
    mend: "Write the event in the transaction that authenticates the session. Turn it into bytes once, sign those and send those. Try again with growing pauses until a 2xx, under the same `webhook-id`.",
  },
};

/** Every check of a hosted API. The large burst comes early, before limits are used up. */
export const HOSTED_CHECKS: readonly Check<Api>[] = checksOf(
  { ...FAMILIES_OF_LOGIN, ...FAMILIES_OF_HOSTED_API },
  SESSION_RESPONSE_CHECKS,
  AUTHENTICATION_CHECKS,
  TENANT_CHECKS,
  SESSION_CHECKS,
  IDEMPOTENCY_CHECKS,
  SESSION_LIFE_CHECKS,
  VERIFY_CHECKS,
  DOMAIN_CHECKS,
  WEBHOOK_URL_CHECKS,
  LIST_CHECKS,
  EVENT_CHECKS,
  EVENT_ATTEMPT_CHECKS,
  RULE_CHECKS,
  HOSTED_LIMIT_CHECKS,
);
