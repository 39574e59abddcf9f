import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AccountCard, LeaveCard } from "#components/account/account-card.tsx";
import {
  AfterRecovery,
  BackupQuestion,
  type ChangeItem,
  ChangeNotices,
  NewBrowserNotice,
  TrialNotice,
} from "#components/account/account-notices.tsx";
import { type BrowserSessionItem, BrowserSessionList } from "#components/account/browser-session-list.tsx";
import { type CredentialItem, CredentialList } from "#components/account/credential-list.tsx";
import { type HistoryItem, LoginHistory } from "#components/account/login-history.tsx";
import { SignOutButton } from "#components/account/sign-out-button.tsx";
import { Container } from "#components/site/container.tsx";
import { browserSecret } from "#lib/account/browser-secret.ts";
import { currentSession, loginCore } from "#lib/account/login.ts";
import { countDomainsOfUser, listBrowserSessions, readBackupQuestion } from "#lib/account/store/account.ts";
import { type CredentialRow, listCredentials } from "#lib/account/store/credential.ts";
import {
  type AuditEntry,
  listAuditEntries,
  listChanges,
  listNewBrowsers,
} from "#lib/account/store/history.ts";
import { parseBitcoinAddress } from "#lib/fast/crypto/bitcoin-address.ts";
import { countKeysOfUser } from "#lib/hosted/keys/manage-keys.ts";
import { browserName } from "#lib/login/protocol/browser-name.ts";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { credentialName } from "#lib/names/credential-name.ts";
import { now } from "#lib/platform/clock.ts";
import { unfinishedSince } from "#lib/recovery/account-recovery.ts";
import { codesState } from "#lib/recovery/recovery-codes.ts";
import type { CodesState } from "#lib/recovery/store/recovery-code.ts";
import { openQuestionPath } from "#lib/site/decide-added-key.ts";
import { deviceName, historyWords, isTrialWallet } from "./words.ts";

export const metadata: Metadata = { title: "Dashboard" };

const HISTORY_LENGTH = 50;
/** Changes that are shown at once; the next ones follow when these are dismissed. */
const CHANGES_LENGTH = 10;
/** The first sign-in has other things to tell. */
const ASKED_AT_SIGN_IN = 2;
/** Longer than any sid. Cut here, so that a long query cannot make the Location header too long. */
const SID_LENGTH = 128;

/** Restricted: who signed in, where else, and what happened before. */
export default async function DashboardPage({ searchParams }: PageProps<"/dashboard">) {
  const { sid } = await searchParams;
  // Where a fast login ends (docs/protocol.md#64-get-dashboardsid). A page can set no cookie: a handler signs in and strips the sid.
  if (sid !== undefined)
    redirect(`/dashboard/enter?${new URLSearchParams({ sid: String(sid).slice(0, SID_LENGTH) })}`);
  const session = await currentSession();
  if (!session)
    redirect(
      (await openQuestionPath(loginCore(), await browserSecret())) ?? "/login?callbackUrl=%2Fdashboard",
    );
  // The history first: whatever it tells has happened to the lists that are read after it.
  const events = await listAuditEntries(session.userId, HISTORY_LENGTH);
  const [credentials, sessions, changes, newBrowsers, apiKeys, codes, backup, domains] = await Promise.all([
    listCredentials(session.userId),
    listBrowserSessions(session.userId, now()),
    listChanges(session, CHANGES_LENGTH),
    listNewBrowsers(session, CHANGES_LENGTH),
    countKeysOfUser(session.userId),
    codesState(loginCore(), session.userId),
    readBackupQuestion(session.userId),
    countDomainsOfUser(session.userId),
  ]);
  const trial = isTrialWallet(session.deviceInfo) && credentials.length === 1;
  const exposed = credentials.length === 1 && codes.active === 0;
  return (
    <Container className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="font-semibold text-title">You are signed in</h1>
        <SignOutButton />
      </div>
      {newBrowsers.map(({ id, at, userAgent, sessionId }) => (
        <NewBrowserNotice
          key={String(id)}
          id={String(id)}
          at={at.toISOString()}
          browser={browserName(userAgent)}
          sessionId={sessionId}
        />
      ))}
      <ChangeNotices changes={changes.flatMap(changeItem)} />
      <Recovered codes={codes} credentials={credentials} apiKeys={apiKeys} />
      {trial && <TrialNotice />}
      {exposed && !trial && !backup.asked && backup.signIns >= ASKED_AT_SIGN_IN && <BackupQuestion />}
      <AccountCard
        userId={session.userId}
        credential={credentialName(session.credential)}
        isAddress={parseBitcoinAddress(session.credential) !== null}
        device={deviceName(session.deviceInfo)}
        signedInAt={session.createdAt.toISOString()}
      />
      <CredentialList credentials={credentials.map(credentialItem)} codes={codes.active} />
      <BrowserSessionList
        sessions={currentFirst(sessions.map((row) => sessionItem(row, session.id)))}
        apiKeys={apiKeys}
      />
      <LoginHistory items={events.flatMap((row) => historyItem(row, session.credential))} />
      <LeaveCard apiKeys={apiKeys} domains={domains} />
    </Container>
  );
}

/** What is left to do after a recovery, until new codes are made. */
function Recovered(props: { codes: CodesState; credentials: CredentialRow[]; apiKeys: number }) {
  const recoveredAt = unfinishedSince(props.codes);
  if (recoveredAt === null) return null;
  const waysBefore = props.credentials.filter(({ beforeRecoveryAt }) => beforeRecoveryAt !== null).length;
  return (
    <AfterRecovery recoveredAt={recoveredAt.toISOString()} apiKeys={props.apiKeys} waysBefore={waysBefore} />
  );
}

function credentialItem(row: CredentialRow): CredentialItem {
  const { id, kind, value, label, createdAt, beforeRecoveryAt } = row;
  const beforeRecovery = beforeRecoveryAt !== null;
  return { id, kind, name: credentialName(value), label, addedAt: createdAt.toISOString(), beforeRecovery };
}

function sessionItem(row: BrowserSession, currentId: string): BrowserSessionItem {
  return {
    id: row.id,
    browser: browserName(row.userAgent),
    device: deviceName(row.deviceInfo),
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    current: row.id === currentId,
  };
}

function currentFirst(sessions: BrowserSessionItem[]): BrowserSessionItem[] {
  return sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
}

function changeItem(row: AuditEntry): ChangeItem[] {
  const what = historyWords(row);
  if (what === null) return [];
  const { id, at, subject, credential, userAgent } = row;
  return [
    {
      id: String(id),
      at: at.toISOString(),
      what,
      subject: subject ?? (credential && credentialName(credential)),
      browser: browserName(userAgent),
    },
  ];
}

function historyItem(row: AuditEntry, ownCredential: string): HistoryItem[] {
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
  { kind, credential, subject }: AuditEntry,
  own: string,
): HistoryItem["credential"] {
  if (subject !== null && kind !== "session_created") return { words: "", name: subject };
  if (credential === null) return null;
  const name = credentialName(credential);
  const what = name === credential ? "address" : "key";
  if (kind === "recovered" || kind === "recovery_pending") return { words: `the new ${what}`, name };
  if (kind === "credential_added" || kind === "credential_removed") return { words: `the ${what}`, name };
  return credential === own ? null : { words: `by another ${what},`, name };
}
