import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AccountCard } from "#components/dashboard/account-card.tsx";
import { type HistoryItem, LoginHistory } from "#components/dashboard/login-history.tsx";
import { type SessionItem, SessionList } from "#components/dashboard/session-list.tsx";
import { SignOutButton } from "#components/dashboard/sign-out-button.tsx";
import { Container } from "#components/site/container.tsx";
import { now } from "#lib/core/clock.ts";
import { currentSession } from "#lib/flows/auth/current-session.ts";
import { type BrowserSessionRow, listBrowserSessions } from "#lib/store/browser-session.ts";
import { type LoginEventRow, listLoginEvents } from "#lib/store/login-event.ts";
import { browserName } from "./browser-name.ts";
import { credentialName } from "./credential-name.ts";
import { deviceName } from "./device-name.ts";
import { historyWords } from "./history-words.ts";

export const metadata: Metadata = { title: "Dashboard" };

const HISTORY_LENGTH = 20;

/** Restricted: who signed in, where else, and what happened before. */
export default async function DashboardPage() {
  const session = await currentSession();
  if (!session) redirect("/login?callbackUrl=%2Fdashboard");
  const [sessions, events] = await Promise.all([
    listBrowserSessions(session.userId, now()),
    listLoginEvents(session.userId, HISTORY_LENGTH),
  ]);
  return (
    <Container className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="font-semibold text-title">You are signed in</h1>
        <SignOutButton />
      </div>
      <AccountCard
        userId={session.userId}
        credential={credentialName(session.credential)}
        device={deviceName(session.deviceInfo)}
        signedInAt={session.createdAt.toISOString()}
      />
      <SessionList sessions={currentFirst(sessions.map((row) => sessionItem(row, session.id)))} />
      <LoginHistory items={events.flatMap(historyItem)} />
    </Container>
  );
}

function sessionItem(row: BrowserSessionRow, currentId: string): SessionItem {
  return {
    id: row.id,
    browser: browserName(row.userAgent),
    device: deviceName(row.deviceInfo),
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    current: row.id === currentId,
  };
}

function currentFirst(sessions: SessionItem[]): SessionItem[] {
  return sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
}

function historyItem(row: LoginEventRow): HistoryItem[] {
  const what = historyWords(row);
  if (what === null) return [];
  return [
    {
      id: String(row.id),
      at: row.at.toISOString(),
      what,
      where: row.userAgent ? browserName(row.userAgent) : deviceName(row.deviceInfo),
      credential: row.credential && credentialName(row.credential),
    },
  ];
}
