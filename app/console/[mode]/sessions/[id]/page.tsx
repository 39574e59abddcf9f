import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ConsolePage } from "#components/console/console-page.tsx";
import { SessionView } from "#components/console/sessions.tsx";
import { nullIfNotFound, requireConsoleTenant } from "#lib/console/console-tenant.ts";
import { readLoginTimeline } from "#lib/console/logins.ts";
import { now } from "#packages/login/process/state.ts";

export const metadata: Metadata = { title: "Session" };

export default async function SessionPage({ params }: PageProps<"/console/[mode]/sessions/[id]">) {
  const { mode: modeName, id } = await params;
  const tenant = await requireConsoleTenant(modeName, `/sessions/${id}`);
  const timeline = await nullIfNotFound(readLoginTimeline(tenant, id));
  if (!timeline) notFound();
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
