import type { Metadata } from "next";
import { ConsolePage, EmptyState, Pager, TestLoginLink } from "#components/console/console-page.tsx";
import { SessionList } from "#components/console/sessions.tsx";
import { requireConsole } from "#lib/console/console-tenant.ts";
import { readPage } from "#lib/hosted/contract/page.ts";
import { listSessions } from "#lib/hosted/sessions/manage-sessions.ts";
import { now } from "#packages/login/process/state.ts";
import { Section } from "#packages/react/ui/elements.tsx";

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
      <Section
        id="sessions"
        title="Newest first"
        actions={mode === "test" && sessions.length > 0 && <TestLoginLink size="small" />}
      >
        <SessionList
          query={cursor === null ? {} : { cursor }}
          sessions={sessions}
          at={now().toISOString()}
          empty={
            <EmptyState
              title="No session yet"
              action={mode === "test" && <TestLoginLink variant="primary" />}
            >
              Your server creates one for each login, with POST /sessions: a QR code for the page, a challenge
              for the wallet.
            </EmptyState>
          }
        />
        <Pager path={`/console/${mode}/sessions`} cursor={cursor} next={next_cursor} />
      </Section>
    </ConsolePage>
  );
}
