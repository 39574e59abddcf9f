import type { AccountEvent, LeftBehind, SignInMethod } from "@svc/login";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import {
  AfterRecovery,
  type ChangeItem,
  ChangeNotices,
  type LeftItem,
  NewBrowserNotice,
  UndoneNotice,
} from "#components/account/account-notices.tsx";
import { BrowserSessionList } from "#components/account/browser-session-list.tsx";
import { type CredentialItem, CredentialList } from "#components/account/credential-list.tsx";
import { LeaveCard } from "#components/account/leave-card.tsx";
import { ProfileCard } from "#components/account/profile-card.tsx";
import { countDomainsOfUser } from "#lib/account/delete-account.ts";
import { countKeysOfUser } from "#lib/hosted/keys/manage-keys.ts";
import { browserSecret, loginCore } from "#lib/login.ts";
import { readAccount } from "#packages/login/plugins/account/read-account.ts";
import { openQuestionPath } from "#packages/login/plugins/added-keys/question.ts";
import { isApproved } from "#packages/login/plugins/approvals/asker.ts";
import { unfinishedRecoveryAt } from "#packages/login/plugins/recovery/read-recovery.ts";
import { codesState } from "#packages/login/plugins/recovery/recovery-codes.ts";
import type { CodesState } from "#packages/login/plugins/recovery/store/recovery-code.ts";
import { now } from "#packages/login/process/state.ts";
import { Container } from "#packages/react/ui/elements.tsx";
import { currentPerson, currentSession } from "../current-person.ts";
import { AccountHealth } from "./health.tsx";
import { historyWords, isTrialWallet, LoginHistory, walletName } from "./history.tsx";

export const metadata: Metadata = { title: "Dashboard" };

/** Longer than any sid. Cut here, so that a long query cannot make the Location header too long. */
const SID_LENGTH = 128;

/** Restricted: who signed in, where else, and what happened before. */
export default async function DashboardPage({ searchParams }: PageProps<"/dashboard">) {
  const { sid } = await searchParams;
  // A fast login ends here (docs/protocol.md#64-get-dashboardsid). A page cannot set a cookie, so a handler signs in.
  if (sid !== undefined)
    redirect(`/dashboard/enter?${new URLSearchParams({ sid: String(sid).slice(0, SID_LENGTH) })}`);
  const [session, person] = await Promise.all([currentSession(), currentPerson()]);
  if (!session || !person)
    redirect(
      (await openQuestionPath(loginCore(), await browserSecret())) ?? "/login?callbackUrl=%2Fdashboard",
    );
  // Read the account first: a change that its history names then shows in everything that is read later.
  const account = await readAccount(loginCore(), session);
  const [apiKeys, codes, domains] = await Promise.all([
    countKeysOfUser(session.userId),
    codesState(loginCore(), session.userId),
    countDomainsOfUser(session.userId),
  ]);
  const { signedInWith } = account;
  const credentials = account.signInMethods.map((signInMethod) => credentialItem(signInMethod, signedInWith));
  const nameOf = (credential: string | null) => {
    const { label, device } = credentials.find(({ name }) => name === credential) ?? {};
    return label ?? (device === undefined ? null : withArticle(device));
  };
  const signInMethodTexts = (credential: string) => nameOf(credential) ?? "a sign-in method that was removed";
  const ways = credentials.filter(({ gone }) => !gone).length;
  return (
    <Container className="grid gap-6">
      <ProfileCard
        person={person}
        signedInWith={signInMethodTexts(signedInWith)}
        signedInAt={session.createdAt.toISOString()}
      />
      <AccountHealth ways={ways} codes={codes.active} canAdd={isApproved(session, now())} />
      {account.newBrowsers.map((browser) => (
        <NewBrowserNotice key={browser.id} {...browser} />
      ))}
      {account.undone.map(({ left, ...signIn }) => (
        <UndoneNotice key={signIn.id} {...signIn} left={left.flatMap((change) => leftItem(change, nameOf))} />
      ))}
      <ChangeNotices changes={account.changes.flatMap((event) => changeItem(event, nameOf))} />
      <Recovered codes={codes} signInMethods={account.signInMethods} apiKeys={apiKeys} />
      <CredentialList credentials={credentials} codes={codes.active} />
      <BrowserSessionList
        browsers={account.browsers
          .map((browser) => ({ ...browser, signedInWith: signInMethodTexts(browser.signedInWith) }))
          .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))}
        apiKeys={apiKeys}
      />
      <LoginHistory events={account.history} signedInWith={signedInWith} />
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

/** The remaining steps after a recovery, until new codes are made. */
function Recovered(props: { codes: CodesState; signInMethods: SignInMethod[]; apiKeys: number }) {
  const recoveredAt = unfinishedRecoveryAt(props.codes);
  if (recoveredAt === null) return null;
  const waysBefore = props.signInMethods.filter(({ isFromBeforeRecovery }) => isFromBeforeRecovery).length;
  return (
    <AfterRecovery recoveredAt={recoveredAt.toISOString()} apiKeys={props.apiKeys} waysBefore={waysBefore} />
  );
}

function credentialItem(signInMethod: SignInMethod, signedInWith: string): CredentialItem {
  const { platform, lastUsedIn, ...shown } = signInMethod;
  const { kind, name } = shown;
  const device = kind === "address" ? `Bitcoin address …${name.slice(-6)}` : walletName(platform, lastUsedIn);
  return {
    ...shown,
    device: device ?? "Wallet",
    current: name === signedInWith,
    gone: isTrialWallet(platform),
  };
}

function leftItem(change: LeftBehind, nameOf: (credential: string | null) => string | null): LeftItem[] {
  const what = historyWords({ ...change, reason: null });
  if (what === null) return [];
  const { kind, credentialId, subject, credential } = change;
  return [{ kind, credentialId, what, name: subject ?? nameOf(credential) ?? credential }];
}

function changeItem(event: AccountEvent, nameOf: (credential: string | null) => string | null): ChangeItem[] {
  const what = historyWords(event);
  if (what === null) return [];
  const { id, at, subject, credential, browser } = event;
  return [{ id, at, what, subject: subject ?? nameOf(credential) ?? credential, browser }];
}
