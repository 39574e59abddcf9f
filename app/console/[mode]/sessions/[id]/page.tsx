import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ConsolePage } from "#components/console/console-page.tsx";
import { SessionView } from "#components/console/sessions.tsx";
import { requireConsole } from "#lib/console/console-tenant.ts";
import { readTimeline } from "#lib/console/logins.ts";
import { now } from "#packages/login/process/state.ts";
import { Refusal } from "#packages/login/protocol/errors.ts";

export const metadata: Metadata = { title: "Session" };

/** A hosted session: who signed in, and what happened when. */
export default async function SessionPage({ params }: PageProps<"/console/[mode]/sessions/[id]">) {
  const { mode: modeName, id } = await params;
  const tenant = await requireConsole(modeName, `/sessions/${id}`);
  const timeline = await readTimeline(tenant, id).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "session_not_found") notFound();
    throw error;
  });
  return (
    <ConsolePage
      mode={tenant.mode}
      section="/sessions"
      title="Session"
      lead={<span className="wrap-anywhere font-mono text-sm">{id}</span>}
    >
      <SessionView timeline={timeline} at={now().toISOString()} />
    </ConsolePage>
  );
}
