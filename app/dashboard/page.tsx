import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AccountCard } from "#components/dashboard/account-card.tsx";
import { type ChangeItem, ChangeNotices } from "#components/dashboard/change-notices.tsx";
import { type CredentialItem, CredentialList } from "#components/dashboard/credential-list.tsx";
import { type HistoryItem, LoginHistory } from "#components/dashboard/login-history.tsx";
import { type SessionItem, SessionList } from "#components/dashboard/session-list.tsx";
import { SignOutButton } from "#components/dashboard/sign-out-button.tsx";
import { TrialNotice } from "#components/dashboard/trial-notice.tsx";
import { Container } from "#components/site/container.tsx";
import { now } from "#lib/core/clock.ts";
import { parseBitcoinAddress } from "#lib/core/crypto/bitcoin-address.ts";
import { openQuestionPath } from "#lib/flows/auth/added-key.ts";
import { browserSecret } from "#lib/flows/auth/browser-secret.ts";
import { currentSession } from "#lib/flows/auth/current-session.ts";
import { countApiKeysOfUser } from "#lib/store/api-key.ts";
import { type BrowserSessionRow, listBrowserSessions } from "#lib/store/browser-session.ts";
import { type CredentialRow, listCredentials } from "#lib/store/credential.ts";
import { type LoginEventRow, listChangesElsewhere, listLoginEvents } from "#lib/store/login-event.ts";
import { browserName } from "./browser-name.ts";
import { credentialName } from "./credential-name.ts";
import { deviceName, isTrialWallet } from "./device-name.ts";
import { historyWords } from "./history-words.ts";

export const metadata: Metadata = { title: "Dashboard" };

const HISTORY_LENGTH = 50;
/** Changes that are shown at once; the next ones follow when these are dismissed. */
const CHANGES_LENGTH = 10;
/** More than any sid has; a header of whatever length somebody wrote into the address is none. */
const SID_LENGTH = 128;

/** Restricted: who signed in, where else, and what happened before. */
export default async function DashboardPage({ searchParams }: PageProps<"/dashboard">) {
  const { sid } = await searchParams;
  // Flow C's dashboard route (specification 4.3). A page can set no cookie: a handler signs in and strips the sid.
  if (sid !== undefined)
    redirect(`/dashboard/enter?${new URLSearchParams({ sid: String(sid).slice(0, SID_LENGTH) })}`);
  const session = await currentSession();
  if (!session)
    redirect((await openQuestionPath(await browserSecret())) ?? "/login?callbackUrl=%2Fdashboard");
  // The history first: whatever it tells has happened to the lists that are read after it.
  const events = await listLoginEvents(session.userId, HISTORY_LENGTH);
  const [credentials, sessions, changes, apiKeys] = await Promise.all([
    listCredentials(session.userId),
    listBrowserSessions(session.userId, now()),
    listChangesElsewhere(session, CHANGES_LENGTH),
    countApiKeysOfUser(session.userId),
  ]);
  return (
    <Container className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="font-semibold text-title">You are signed in</h1>
        <SignOutButton />
      </div>
      <ChangeNotices changes={changes.flatMap(changeItem)} />
      {isTrialWallet(session.deviceInfo) && credentials.length === 1 && <TrialNotice />}
      <AccountCard
        userId={session.userId}
        credential={credentialName(session.credential)}
        isAddress={parseBitcoinAddress(session.credential) !== null}
        device={deviceName(session.deviceInfo)}
        signedInAt={session.createdAt.toISOString()}
      />
      <CredentialList credentials={credentials.map(credentialItem)} />
      <SessionList
        sessions={currentFirst(sessions.map((row) => sessionItem(row, session.id)))}
        apiKeys={apiKeys}
      />
      <LoginHistory items={events.flatMap((row) => historyItem(row, session.credential))} />
    </Container>
  );
}

function credentialItem({ id, kind, value, label, createdAt }: CredentialRow): CredentialItem {
  return { id, kind, name: credentialName(value), label, addedAt: createdAt.toISOString() };
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

function changeItem(row: LoginEventRow): ChangeItem[] {
  const what = historyWords(row);
  if (what === null) return [];
  const { id, at, subject, credential, userAgent, deviceInfo } = row;
  return [
    {
      id: String(id),
      at: at.toISOString(),
      what,
      subject: subject ?? (credential && credentialName(credential)),
      browser: browserName(userAgent),
      device: deviceName(deviceInfo),
    },
  ];
}

function historyItem(row: LoginEventRow, ownCredential: string): HistoryItem[] {
  const what = historyWords(row);
  if (what === null) return [];
  return [
    {
      id: String(row.id),
      at: row.at.toISOString(),
      what,
      browser: browserName(row.userAgent),
      device: deviceName(row.deviceInfo),
      credential: historyCredential(row, ownCredential),
    },
  ];
}

function historyCredential(
  { kind, credential, subject }: LoginEventRow,
  own: string,
): HistoryItem["credential"] {
  if (subject !== null) return { words: "", name: subject };
  if (credential === null) return null;
  const name = credentialName(credential);
  const what = name === credential ? "address" : "key";
  if (kind === "credential_added" || kind === "credential_removed") return { words: `the ${what}`, name };
  return credential === own ? null : { words: `by another ${what},`, name };
}
