import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { nullIfNotFound, requireConsoleTenant } from "#lib/console/console-tenant.ts";
import { requireHostedSession } from "#lib/hosted/sessions/manage-sessions.ts";
import { renderScreen } from "../../screen.tsx";

export const metadata: Metadata = { title: "Sessions" };

export default async function SessionsPage(props: PageProps<"/console/[mode]/sessions">) {
  const { id } = await props.searchParams;
  if (typeof id !== "string") return renderScreen("sessions", props);
  const tenant = await requireConsoleTenant((await props.params).mode, "/sessions");
  const text = id.trim();
  const base = `/console/${tenant.mode}`;
  if (text.startsWith("dom_")) redirect(`${base}/domains/${encodeURIComponent(text)}`);
  if (text.startsWith("msg_")) redirect(`${base}/events?${new URLSearchParams({ id: text })}`);
  const session = await nullIfNotFound(requireHostedSession(tenant, text));
  if (session) redirect(`${base}/sessions/${encodeURIComponent(text)}`);
  // Even if the session was deleted, its events still exist.
  redirect(`${base}/events?${new URLSearchParams({ session_id: text })}`);
}
