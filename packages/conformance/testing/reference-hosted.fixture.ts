import { createHash } from "node:crypto";
import { parseDerSignature } from "../../login/crypto/signature.ts";
import { Clocked, type Has, invalid, type Planted, SiteError } from "./reference.fixture.ts";
import { openDomains } from "./reference-domains.fixture.ts";
import { type ApiEvent, type Body, type Call, openEvents } from "./reference-events.fixture.ts";
import { isSigned, readKey } from "./reference-proof.fixture.ts";
import { openSessions } from "./reference-sessions.fixture.ts";

type Done = [status: number, body?: Body];

/** The operations of a correct hosted API in memory, and the places where a fault changes them. */
export function openHosted(planted: Planted) {
  const { has } = planted;
  const clock = new Clocked();
  const events = openEvents(has);
  const domains = openDomains(clock, has);
  const sessions = openSessions({ planted, clock, domains, events });
  const once = idempotently(clock, has);

  /** By method and path. They throw refusals. */
  const operations: Record<string, (asked: Call) => Done | Promise<Done>> = {
    "POST /sessions": (asked) => once(asked, () => sessions.create(asked)),
    "GET /sessions": ({ tenant, query }) => {
      const own = sessions.all.filter((each) => each.tenant === tenant || has("lists-everything"));
      return [200, pageOf("sessions", query, own, ({ id }) => ({ id }), has)];
    },
    "GET /sessions/*": (asked) => [200, sessions.read(sessions.of(asked))],
    "POST /sessions/*/refresh": (asked) => [200, sessions.refresh(sessions.of(asked))],
    "POST /verify": ({ body }) => [200, verifyMessage(body, has, (message) => sessions.spend(message))],
    "GET /domains": ({ tenant, query }) => {
      const own = domains.all.filter((each) => each.tenant === tenant);
      return [200, pageOf("domains", query, own, (each) => domains.show(each), has)];
    },
    "POST /domains": ({ tenant, body }) => [201, domains.register(tenant, body)],
    "GET /domains/*": (asked) => [200, domains.show(domains.of(asked))],
    "PATCH /domains/*": (asked) => [200, domains.change(domains.of(asked), asked.body)],
    "DELETE /domains/*": (asked) => {
      const domain = domains.of(asked);
      domains.all.splice(domains.all.indexOf(domain), 1);
      if (!has("sessions-outlive")) sessions.endOf(domain);
      return [204];
    },
    "POST /domains/*/verify": (asked) => domains.prove(domains.of(asked)),
    "POST /domains/*/rotate-secret": (asked) => [200, domains.rotate(domains.of(asked))],
    "POST /domains/*/test-event": (asked) => {
      const domain = domains.of(asked);
      const event = has("test-as-login") ? "login" : "test";
      return [202, { id: events.send(domain, domain.url, { event, session_id: "test", data: {} }).id }];
    },
    "GET /deliveries": ({ tenant, query }) => [200, deliveriesOf(tenant, query, events.all, has)],
    "POST /deliveries/*/resend": ({ tenant, id }) => {
      const event = events.all.find((each) => each.id === id && each.domain.tenant === tenant);
      if (!event) throw new SiteError(404, "not_found");
      void events.attempt(event, has("event-new-id") ? 1 : 0);
      return [202, { id }];
    },
  };

  return { clock, events, sessions, operations };
}

/** The idempotency keys of the reference API, and the places where a fault changes what they do. */
function idempotently(clock: Clocked, has: Has) {
  const kept = new Map<string, { body: string; answer: Promise<[number, Body]> }>();
  return async (call: Call, create: () => Body): Promise<[number, Body]> => {
    const { idempotencyKey: key, tenant, body } = call;
    if (key === undefined || has("idempotency-ignored")) return [201, create()];
    const isKey = /^[!-~ ]{1,255}$/.test(key);
    if (!isKey && !has("any-idempotency-key")) throw invalid();
    const name = has("idempotency-shared") ? key : `${tenant} ${key}`;
    if (has("idempotency-races")) await new Promise((resolve) => setTimeout(resolve, 5));
    const known = kept.get(name);
    const text = JSON.stringify(body);
    if (known && known.body !== text && !has("idempotency-any-body"))
      throw new SiteError(409, "idempotency_conflict");
    if (known && !has("idempotency-races")) {
      const [status, answer] = await known.answer;
      return [status, has("idempotency-anew") ? { ...answer, created_at: clock.iso(1) } : answer];
    }
    const made: [number, Body] = [201, create()];
    if (has("idempotency-races")) await new Promise((resolve) => setTimeout(resolve, 5));
    kept.set(name, { body: text, answer: Promise.resolve(made) });
    return made;
  };
}

/** A page of a list. @param show what a list contains of each item */
function pageOf<Item extends { id: string }>(
  name: string,
  query: URLSearchParams,
  items: readonly Item[],
  show: (item: Item) => object,
  has: Has,
): Body {
  const text = query.get("limit") ?? "20";
  const limit = Number(text);
  const isLimit = /^\d+$/.test(text) && limit >= 1 && limit <= 100;
  if (!isLimit && !has("any-limit")) throw invalid();
  const cursor = query.get("cursor");
  const at = cursor === null ? -1 : items.findIndex(({ id }) => id === cursor);
  if (cursor !== null && at < 0 && !has("any-limit")) throw invalid();
  const page = items.slice(at + 1, at + 1 + (limit || 20));
  const last = items.length > at + 1 + page.length ? page.at(-1)?.id : undefined;
  return { [name]: page.map(show), next_cursor: has("no-cursor") ? null : (last ?? null) };
}

/** The events of a tenant, as its query filters them. */
function deliveriesOf(tenant: string, query: URLSearchParams, all: readonly ApiEvent[], has: Has): Body {
  const [domain, session, status] = ["domain_id", "session_id", "status"].map((name) => query.get(name));
  if (status && !["pending", "delivered", "failed"].includes(status) && !has("any-status")) throw invalid();
  const isShown = (event: ApiEvent) =>
    (event.domain.tenant === tenant || ((session || domain) && has("filter-crosses"))) &&
    (!domain || event.domain.id === domain) &&
    (!session || event.sessionId === session || has("filter-ignored"));
  const deliveries = all.filter(isShown).map((event) => ({
    ...{ id: event.id, session_id: event.sessionId, domain_id: event.domain.id, status: event.status },
    ...{ next_attempt_at: event.nextAt, attempts: event.attempts },
  }));
  return { deliveries, next_cursor: null };
}

/** Verifies a message. @param spend what a fault does with the challenge of that text */
function verifyMessage(
  { public_key, signature, message }: Body,
  has: Has,
  spend: (message: string) => void,
): Body {
  for (const value of [public_key, signature, message]) {
    if (typeof value !== "string" && !(value !== undefined && has("verify-converts"))) throw invalid();
  }
  const key = readKey(String(public_key), has);
  const isReadable = key !== null && parseDerSignature(String(signature)) !== null;
  if (!isReadable && !has("verify-unreadable")) {
    const details = has("verify-no-details")
      ? {}
      : { public_key: String(public_key), expected_format: "DER" };
    throw new SiteError(400, "invalid_signature", undefined, details);
  }
  const valid = isReadable && isSigned(key, String(signature), String(message), has);
  const hash = createHash("sha256")
    .update(String(message))
    .digest(has("verify-hash-base64") ? "base64" : "hex");
  if (!valid && isReadable && has("verify-406")) throw new SiteError(406, "invalid_signature");
  if (valid && has("verify-spends")) spend(String(message));
  return {
    valid: valid || has("verify-always"),
    public_key: has("verify-key-as-sent") ? public_key : key,
    message_hash: `sha256:${hash}`,
  };
}
