import type { Metadata } from "next";
import { EmptyState, Pager } from "#components/console/console-list.tsx";
import { ConsolePage } from "#components/console/console-page.tsx";
import { HostedSessionList } from "#components/console/hosted-sessions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { requireConsole } from "#lib/console/require-console.ts";
import { listSessions } from "#lib/hosted/sessions/manage-sessions.ts";
import { now } from "#lib/platform/clock.ts";
import { readPage } from "../read-page.ts";
import { sessionState } from "./timeline.ts";

export const metadata: Metadata = { title: "Sessions" };

/** The logins of a mode. */
export default async function SessionsPage({ params, searchParams }: PageProps<"/console/[mode]/sessions">) {
  const tenant = await requireConsole((await params).mode, "/sessions");
  const { page, cursor } = readPage(await searchParams);
  const { sessions, next_cursor } = await listSessions(tenant, page);
  const { mode } = tenant;
  const at = now();
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
          <HostedSessionList
            mode={mode}
            sessions={sessions.map((session) => ({
              id: session.id,
              domain: session.domain,
              action: session.mode,
              state: sessionState(session.status, new Date(session.expires_at), at),
              createdAt: session.created_at,
            }))}
          />
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
