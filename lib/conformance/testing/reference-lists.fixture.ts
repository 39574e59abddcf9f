import type { Has } from "./planted.fixture.ts";
import type { Body } from "./reference-call.fixture.ts";
import type { ApiEvent } from "./reference-events.fixture.ts";
import { invalid } from "./site-error.fixture.ts";

/** How the reference API lists, and the places where a fault changes it. */

/** A page of a list; @param show what a list tells of each item */
export function pageOf<Item extends { id: string }>(
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
export function deliveriesOf(
  tenant: string,
  query: URLSearchParams,
  all: readonly ApiEvent[],
  has: Has,
): Body {
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
