import { listAuditEntriesOfSession } from "#lib/account/store/history.ts";
import type { Timeline } from "#lib/hosted/contract/console.ts";
import type { Tenant } from "#lib/hosted/contract/tenant.ts";
import { listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { listedSession, requireSession } from "#lib/hosted/sessions/manage-sessions.ts";

const ENTRIES_SHOWN = 200;
const EVENTS_SHOWN = 10;

/** What happened in a login of the tenant's. @throws {ApiError} 404 `session_not_found` */
export async function readTimeline(tenant: Tenant, id: string): Promise<Timeline> {
  // Read in reverse order of writing: events, then entries, then the session. So each event is shown with the answer
  // that caused it, and the session is at least as new as its entries.
  const { deliveries } = await listDeliveries(tenant, { limit: EVENTS_SHOWN, session_id: id });
  const entries = await listAuditEntriesOfSession(id, ENTRIES_SHOWN);
  const session = await requireSession(tenant, id);
  return {
    session: { ...listedSession(session), public_key: session.publicKey },
    entries: entries.map(({ id, at, kind, reason }) => ({
      id: String(id),
      at: at.toISOString(),
      kind,
      reason,
    })),
    deliveries,
  };
}
