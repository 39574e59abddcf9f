import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ifFound, requireConsole } from "#lib/console/console-tenant.ts";
import { requireHostedSession } from "#lib/hosted/sessions/manage-sessions.ts";
import { renderScreen } from "../../screen.tsx";

export const metadata: Metadata = { title: "Sessions" };

/** The logins of a mode. With an `id` it leads to the page about what has this id. */
export default async function SessionsPage(props: PageProps<"/console/[mode]/sessions">) {
  const { id } = await props.searchParams;
  if (typeof id !== "string") return renderScreen("sessions", props);
  const tenant = await requireConsole((await props.params).mode, "/sessions");
  const text = id.trim();
  const base = `/console/${tenant.mode}`;
  if (text.startsWith("dom_")) redirect(`${base}/domains/${encodeURIComponent(text)}`);
  if (text.startsWith("msg_")) redirect(`${base}/events?${new URLSearchParams({ id: text })}`);
  const session = await ifFound(requireHostedSession(tenant, text));
  if (session) redirect(`${base}/sessions/${encodeURIComponent(text)}`);
  // After a session was deleted, its events remain.
  redirect(`${base}/events?${new URLSearchParams({ session_id: text })}`);
}
