import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AccountHealth } from "#components/account/account-health.tsx";
import {
  AfterRecovery,
  type ChangeItem,
  ChangeNotices,
  NewBrowserNotice,
} from "#components/account/account-notices.tsx";
import { type BrowserSessionItem, BrowserSessionList } from "#components/account/browser-session-list.tsx";
import { type CredentialItem, CredentialList } from "#components/account/credential-list.tsx";
import { LeaveCard } from "#components/account/leave-card.tsx";
import { type HistoryItem, LoginHistory } from "#components/account/login-history.tsx";
import { ProfileCard } from "#components/account/profile-card.tsx";
import { Container } from "#components/site/container.tsx";
import { countDomainsOfUser } from "#lib/account/delete-account.ts";
import { browserSecret, loginCore } from "#lib/account/login.ts";
import { countKeysOfUser } from "#lib/hosted/keys/manage-keys.ts";
import { type CredentialRow, listCredentials } from "#lib/login/account/store/credential.ts";
import {
  type AuditEntry,
  listAuditEntries,
  listChanges,
  listNewBrowsers,
} from "#lib/login/account/store/history.ts";
import { listBrowserSessions } from "#lib/login/account/store/sessions.ts";
import { isApproved } from "#lib/login/approval/asker.ts";
import { credentialName } from "#lib/login/crypto/public-key.ts";
import { now } from "#lib/login/process/state.ts";
import { browserName } from "#lib/login/protocol/browser-name.ts";
import { unfinishedSince } from "#lib/login/recovery/read-recovery.ts";
import { codesState } from "#lib/login/recovery/recovery-codes.ts";
import type { CodesState } from "#lib/login/recovery/store/recovery-code.ts";
import { openQuestionPath } from "#lib/login/site/added-key.ts";
import type { BrowserSession } from "#lib/login/store/browser-session.ts";
import { currentPerson, currentSession } from "../current-person.ts";
import { healthOf } from "./health.ts";
import { historyWords, isTrialWallet, walletName } from "./words.ts";

export const metadata: Metadata = { title: "Dashboard" };

const HISTORY_LENGTH = 50;
/** Changes that are shown at once; the next ones follow when these are dismissed. */
const CHANGES_LENGTH = 10;
/** Longer than any sid. Cut here, so that a long query cannot make the Location header too long. */
const SID_LENGTH = 128;

/** Restricted: who signed in, where else, and what happened before. */
export default async function DashboardPage({ searchParams }: PageProps<"/dashboard">) {
  const { sid } = await searchParams;
  // Where a fast login ends (docs/protocol.md#64-get-dashboardsid). A page can set no cookie: a handler signs in and strips the sid.
  if (sid !== undefined)
    redirect(`/dashboard/enter?${new URLSearchParams({ sid: String(sid).slice(0, SID_LENGTH) })}`);
  const [session, person] = await Promise.all([currentSession(), currentPerson()]);
  if (!session || !person)
    redirect(
      (await openQuestionPath(loginCore(), await browserSecret())) ?? "/login?callbackUrl=%2Fdashboard",
    );
  const { database } = loginCore();
  // The history first: whatever it tells has happened to the lists that are read after it.
  const events = await listAuditEntries(database, session.userId, HISTORY_LENGTH);
  const [rows, sessions, changes, newBrowsers, apiKeys, codes, domains] = await Promise.all([
    listCredentials(database, session.userId),
    listBrowserSessions(database, session.userId, now()),
    listChanges(database, session, CHANGES_LENGTH),
    listNewBrowsers(database, session, CHANGES_LENGTH),
    countKeysOfUser(session.userId),
    codesState(loginCore(), session.userId),
    countDomainsOfUser(session.userId),
  ]);
  const signIns = [...sessions.map(signInOf), ...events.filter(({ kind }) => kind === "session_created")];
  const credentials = rows.map((row) => credentialItem(row, session, signIns));
  const nameOf = (credential: string | null) => {
    const at = rows.findIndex(({ value }) => value === credential);
    const { label, device } = credentials[at] ?? {};
    return label ?? (device === undefined ? null : withArticle(device));
  };
  const ways = credentials.filter(({ gone }) => !gone).length;
  return (
    <Container className="grid gap-6">
      <ProfileCard
        person={person}
        signedInWith={nameOf(session.credential) ?? "a way in that was removed"}
        signedInAt={session.createdAt.toISOString()}
      />
      <AccountHealth health={healthOf({ ways, codes: codes.active, canAdd: isApproved(session, now()) })} />
      {newBrowsers.map(({ id, at, userAgent, sessionId }) => (
        <NewBrowserNotice
          key={String(id)}
          id={String(id)}
          at={at.toISOString()}
          browser={browserName(userAgent)}
          sessionId={sessionId}
        />
      ))}
      <ChangeNotices changes={changes.flatMap((row) => changeItem(row, nameOf))} />
      <Recovered codes={codes} credentials={rows} apiKeys={apiKeys} />
      <CredentialList credentials={credentials} codes={codes.active} />
      <BrowserSessionList
        sessions={currentFirst(
          sessions.map((row) =>
            sessionItem(row, session.id, nameOf(row.credential) ?? "a way in that was removed"),
          ),
        )}
        apiKeys={apiKeys}
      />
      <LoginHistory items={events.flatMap((row) => historyItem(row, session.credential))} />
      <LeaveCard apiKeys={apiKeys} domains={domains} />
    </Container>
  );
}

/** A wallet or an address in the middle of a sentence: `a demo wallet in Chrome on macOS`. */
function withArticle(device: string): string {
  return device.startsWith("Bitcoin")
    ? `the ${device}`
    : `a ${device.charAt(0).toLowerCase()}${device.slice(1)}`;
}

/** A sign-in by one of the user's credentials. */
type SignIn = { at: Date; credential: string | null; deviceInfo: unknown; userAgent: string | null };

const signInOf = ({ createdAt, ...session }: BrowserSession): SignIn => ({ at: createdAt, ...session });

/** What is left to do after a recovery, until new codes are made. */
function Recovered(props: { codes: CodesState; credentials: CredentialRow[]; apiKeys: number }) {
  const recoveredAt = unfinishedSince(props.codes);
  if (recoveredAt === null) return null;
  const waysBefore = props.credentials.filter(({ beforeRecoveryAt }) => beforeRecoveryAt !== null).length;
  return (
    <AfterRecovery recoveredAt={recoveredAt.toISOString()} apiKeys={props.apiKeys} waysBefore={waysBefore} />
  );
}

function credentialItem(
  row: CredentialRow,
  { credential }: BrowserSession,
  signIns: readonly SignIn[],
): CredentialItem {
  const { id, kind, value, label, createdAt, beforeRecoveryAt } = row;
  const own = signIns.filter((signIn) => signIn.credential === value);
  const last = own.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0];
  const deviceInfo = row.deviceInfo ?? last?.deviceInfo;
  const device =
    kind === "address"
      ? `Bitcoin address …${value.slice(-6)}`
      : walletName(deviceInfo, last?.userAgent ?? null);
  return {
    ...{ id, kind, name: credentialName(value), label, device: device ?? "Wallet" },
    addedAt: createdAt.toISOString(),
    usedAt: last?.at.toISOString() ?? null,
    current: value === credential,
    gone: isTrialWallet(deviceInfo),
    beforeRecovery: beforeRecoveryAt !== null,
  };
}

function sessionItem(row: BrowserSession, currentId: string, signedInWith: string): BrowserSessionItem {
  return {
    id: row.id,
    browser: browserName(row.userAgent),
    mobile: /\b(Mobile|iPhone|iPad|Android)\b/.test(row.userAgent ?? ""),
    signedInWith,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    current: row.id === currentId,
  };
}

function currentFirst(sessions: BrowserSessionItem[]): BrowserSessionItem[] {
  return sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
}

function changeItem(row: AuditEntry, nameOf: (credential: string | null) => string | null): ChangeItem[] {
  const what = historyWords(row);
  if (what === null) return [];
  const { id, at, subject, credential, userAgent } = row;
  return [
    {
      id: String(id),
      at: at.toISOString(),
      what,
      subject: subject ?? nameOf(credential) ?? (credential && credentialName(credential)),
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
      wallet: walletName(row.deviceInfo, null),
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
