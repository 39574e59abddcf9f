import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ConsolePage } from "#components/console/console-page.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { listAuditEntriesOfSession } from "#lib/account/store/history.ts";
import { requireConsole } from "#lib/console/console-tenant.ts";
import { listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { expiryOf } from "#lib/hosted/sessions/create-session.ts";
import { findSession } from "#lib/hosted/sessions/manage-sessions.ts";
import { now } from "#lib/platform/clock.ts";
import { SessionBadge, SessionTimeline, sessionState, timelineOf } from "../timeline.tsx";

export const metadata: Metadata = { title: "Session" };

const ENTRIES_SHOWN = 200;
const EVENTS_SHOWN = 10;

/** A login: who, and what happened when. */
export default async function SessionPage({ params }: PageProps<"/console/[mode]/sessions/[id]">) {
  const { mode: modeName, id } = await params;
  const tenant = await requireConsole(modeName, `/sessions/${id}`);
  // Read in reverse order of writing: events, then entries, then the session. So each event is shown with the answer
  // that caused it, and the session is at least as new as its entries.
  const { deliveries } = await listDeliveries(tenant, { limit: EVENTS_SHOWN, session_id: id });
  const entries = await listAuditEntriesOfSession(id, ENTRIES_SHOWN);
  const session = await findSession(tenant, id);
  if (!session) notFound();
  const { mode } = tenant;
  const { domain, action, status, createdAt, challengedAt, undoneAt, publicKey } = session;
  return (
    <ConsolePage
      mode={mode}
      section="/sessions"
      title="Session"
      lead={<span className="wrap-anywhere font-mono text-sm">{id}</span>}
    >
      <Card aria-label="Facts">
        <Facts>
          <Fact name="State">
            <SessionBadge state={sessionState(status, expiryOf(challengedAt), now())} />
          </Fact>
          <Fact name="What for">
            {action} at {domain}
          </Fact>
          <Fact name="Created">
            <LocalTime iso={createdAt.toISOString()} />
          </Fact>
          {undoneAt && (
            <Fact name="Taken back by the wallet’s user">
              <LocalTime iso={undoneAt.toISOString()} />
            </Fact>
          )}
          <Fact name="User’s public key">
            {publicKey ? <code className="font-mono">{publicKey}</code> : "Not known yet"}
          </Fact>
        </Facts>
      </Card>
      <Card aria-labelledby="timeline">
        <CardHeader
          title="Timeline"
          id="timeline"
          actions={
            deliveries.length > 0 && (
              <TextLink href={`/console/${mode}/events?session_id=${id}`} className="text-sm">
                Events of this session
              </TextLink>
            )
          }
        />
        <SessionTimeline items={timelineOf(entries, deliveries)} />
      </Card>
    </ConsolePage>
  );
}
