import type { Metadata } from "next";
import { redirect } from "next/navigation";
import {
  ConsolePage,
  EmptyState,
  FindById,
  Pager,
  TestLoginLink,
} from "#components/console/console-page.tsx";
import { SessionList } from "#components/console/sessions.tsx";
import { requireConsole } from "#lib/console/console-tenant.ts";
import { readPage } from "#lib/hosted/contract/page.ts";
import type { Tenant } from "#lib/hosted/contract/tenant.ts";
import { listSessions, requireHostedSession } from "#lib/hosted/sessions/manage-sessions.ts";
import { now } from "#packages/login/process/state.ts";
import { Refusal } from "#packages/login/protocol/errors.ts";
import { Section } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Sessions" };

/** The logins of a mode. */
export default async function SessionsPage({ params, searchParams }: PageProps<"/console/[mode]/sessions">) {
  const tenant = await requireConsole((await params).mode, "/sessions");
  const search = await searchParams;
  if (typeof search.id === "string") redirect(await placeOf(tenant, search.id.trim()));
  const { page, cursor } = readPage(search);
  const { sessions, next_cursor } = await listSessions(tenant, page);
  const { mode } = tenant;
  return (
    <ConsolePage
      mode={mode}
      section="/sessions"
      title="Sessions"
      lead="Logins of the last day. Open one to see what happened in it, to the millisecond."
    >
      <Section id="sessions" title="Newest first" actions={<FindById mode={mode} />}>
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

/** The page of the session with this id. After a session was deleted, only its events remain. */
async function placeOf(tenant: Tenant, id: string): Promise<string> {
  const base = `/console/${tenant.mode}`;
  if (id.startsWith("dom_")) return `${base}/domains/${encodeURIComponent(id)}`;
  if (id.startsWith("msg_")) return `${base}/events?${new URLSearchParams({ id })}`;
  const session = await requireHostedSession(tenant, id).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "session_not_found") return null;
    throw error;
  });
  if (session) return `${base}/sessions/${encodeURIComponent(id)}`;
  return `${base}/events?${new URLSearchParams({ session_id: id })}`;
}
