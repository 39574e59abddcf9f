import type { Metadata } from "next";
import { ConsolePage, EmptyState, Pager } from "#components/console/console-page.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { requireConsole } from "#lib/console/console-tenant.ts";
import { readPage } from "#lib/hosted/contract/page.ts";
import type { ListedSession } from "#lib/hosted/contract/session.ts";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { listSessions } from "#lib/hosted/sessions/manage-sessions.ts";
import { now } from "#lib/platform/clock.ts";
import { SessionBadge, sessionState } from "./timeline.tsx";

export const metadata: Metadata = { title: "Sessions" };

/** The logins of a mode. */
export default async function SessionsPage({ params, searchParams }: PageProps<"/console/[mode]/sessions">) {
  const tenant = await requireConsole((await params).mode, "/sessions");
  const { page, cursor } = readPage(await searchParams);
  const { sessions, next_cursor } = await listSessions(tenant, page);
  const { mode } = tenant;
  return (
    <ConsolePage
      mode={mode}
      section="/sessions"
      title="Sessions"
      lead="Logins of the last day. Open one to see what happened in it, to the millisecond."
    >
      <Card aria-labelledby="sessions">
        <CardHeader title="Newest first" id="sessions" />
        {sessions.length > 0 ? (
          <SessionList mode={mode} sessions={sessions} />
        ) : (
          <EmptyState
            title="No session yet"
            action={<ButtonLink href={`/console/${mode}`}>See the first steps</ButtonLink>}
          >
            Your server creates one for each login, with POST /sessions: a QR code for the page, a challenge
            for the wallet.
          </EmptyState>
        )}
        <Pager path={`/console/${mode}/sessions`} cursor={cursor} next={next_cursor} />
      </Card>
    </ConsolePage>
  );
}

/** The logins of a mode, each a link to its timeline. */
function SessionList({ mode, sessions }: { mode: ApiMode; sessions: ListedSession[] }) {
  const at = now();
  return (
    <ul className="-mb-4 divide-y border-t">
      {sessions.map(({ id, domain, mode: action, status, created_at, expires_at }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <TextLink href={`/console/${mode}/sessions/${id}`} className="wrap-anywhere font-mono text-sm">
                {id}
              </TextLink>
              <SessionBadge state={sessionState(status, new Date(expires_at), at)} />
            </p>
            <p className="wrap-anywhere text-muted-foreground text-sm">
              {action} at {domain}
            </p>
          </div>
          <p className="text-muted-foreground text-sm">
            <LocalTime iso={created_at} />
          </p>
        </li>
      ))}
    </ul>
  );
}
