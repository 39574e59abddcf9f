import { listSessionAuditEntries } from "#lib/account/store/history.ts";
import type { HourlyLoginCounts, LoginTimeline } from "#lib/hosted/contract/console.ts";
import type { Tenant } from "#lib/hosted/contract/tenant.ts";
import { findOrRegisterDomain } from "#lib/hosted/domains/register-domain.ts";
import { testInboxUrl } from "#lib/hosted/domains/webhook-url.ts";
import { listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { createSession } from "#lib/hosted/sessions/create-session.ts";
import { requireHostedSession, toListedSession } from "#lib/hosted/sessions/manage-sessions.ts";
import { db, type RunChange } from "#lib/platform/database/db.ts";
import { requireClient } from "#packages/login/http/client-address.ts";
import { now } from "#packages/login/process/state.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { type RequestHeaders, readUserAgent } from "#packages/login/server/web-request.ts";

/**
 * The domain for tenants that have not registered one. Every machine has this name, and test mode does not verify it.
 */
const FIRST_DOMAIN = "localhost";

/**
 * Creates a session as a customer's server would. Registers `localhost` with the test inbox if the tenant does not have
 * it yet.
 * @throws {Refusal} 404 in live mode, where every login belongs to a real user; any error from the registration or the
 * creation
 */
export async function startTestLogin(
  tenant: Tenant,
  { domain = FIRST_DOMAIN }: { domain?: string | undefined },
  { headers, requestId, change }: { headers: RequestHeaders; requestId: string; change: RunChange },
) {
  if (tenant.mode !== "test") {
    throw refusal("not_found", "Test logins work only in test mode. Switch the console to Test.");
  }
  if (domain === FIRST_DOMAIN) await findOrRegisterDomain(tenant, domain, testInboxUrl(), change);
  const client = {
    user_agent: readUserAgent(headers) ?? undefined,
    address: requireClient({ headers }).replace(/\/64$/, ""),
  };
  return createSession(tenant, { domain, mode: "login", client }, { requestId });
}

const ENTRIES_SHOWN = 200;
const EVENTS_SHOWN = 10;

/** @throws {Refusal} 404 `session_not_found` */
export async function readLoginTimeline(tenant: Tenant, id: string): Promise<LoginTimeline> {
  // Reads the events, the entries and the session in the reverse of the order in which they are written, so that every
  // event has its audit entry and the session is at least as new as its entries.
  const { deliveries } = await listDeliveries(tenant, { limit: EVENTS_SHOWN, session_id: id });
  const entries = await listSessionAuditEntries(id, ENTRIES_SHOWN);
  const session = await requireHostedSession(tenant, id);
  return {
    session: { ...toListedSession(session), public_key: session.publicKey },
    entries: entries.map(({ id, at, kind, reason }) => ({
      id: String(id),
      at: at.toISOString(),
      kind,
      reason,
    })),
    deliveries,
  };
}

const HOUR_MS = 3_600_000;
const HOURS_SHOWN = 24;
/** The maximum number of logins that a page reads. */
const MAX_COUNT = 10_000;

/** For the last 24 hours, oldest first. */
export async function countLoginsPerHour({ tenantId, mode }: Tenant): Promise<HourlyLoginCounts[]> {
  const current = Math.floor(now().getTime() / HOUR_MS) * HOUR_MS;
  const starts = Array.from(
    { length: HOURS_SHOWN },
    (_, index) => current - (HOURS_SHOWN - 1 - index) * HOUR_MS,
  );
  const rows = await db().$queryRaw<{ hour: number; logins: number; refused: number }[]>`
    SELECT hour, count(*)::int AS logins, count(*) FILTER (WHERE refused)::int AS refused FROM (
      SELECT floor(extract(epoch FROM event.created_at) / 3600)::int AS hour,
        event.status = 'failed' OR (event.status = 'pending' AND event.tries > 0) AS refused
      FROM domain JOIN webhook_event AS event ON event.domain_id = domain.id
      WHERE domain.owner_id = ${tenantId}::uuid AND domain.mode = ${mode}::api_mode
        AND event.kind IN ('login', 'register') AND event.created_at >= ${new Date(starts[0] ?? 0)}
      LIMIT ${MAX_COUNT}
    ) AS counted GROUP BY hour`;
  const hours = new Map(rows.map(({ hour, ...counts }) => [hour * HOUR_MS, counts]));
  return starts.map((start) => ({
    start: new Date(start).toISOString(),
    ...(hours.get(start) ?? { logins: 0, refused: 0 }),
  }));
}
