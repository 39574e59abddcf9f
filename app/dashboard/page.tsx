import type { Account, SignInMethod } from "@svc/login";
import { fingerprintWords } from "@svc/login/protocol";
import type { Metadata } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { AccountDataCard } from "#components/account/account-data-card.tsx";
import { AccountNotices, AfterRecovery, DoneNotice } from "#components/account/account-notices.tsx";
import { ProfileCard } from "#components/account/profile-card.tsx";
import { isDismissed, splitChanges } from "#components/account/seen-changes.ts";
import { AddSignInMethod, RecoveryCodesItem } from "#components/account/sign-in-method-items.tsx";
import { SignOutEverywhere } from "#components/account/sign-out-everywhere.tsx";
import { countUserDomains } from "#lib/account/delete-account.ts";
import { countUserApiKeys } from "#lib/hosted/keys/manage-keys.ts";
import { loginCore, readBrowserSecret } from "#lib/login.ts";
import { env } from "#lib/platform/env.ts";
import { getSeenChangesCookieName } from "#lib/platform/http/preference-cookies.ts";
import { readAccount } from "#packages/login/plugins/account/read-account.ts";
import { findAddedKeyQuestionPath } from "#packages/login/plugins/added-keys/question.ts";
import { hasRecentSignIn } from "#packages/login/plugins/approvals/requester.ts";
import { findUnfinishedRecoveryTime } from "#packages/login/plugins/recovery/read-recovery.ts";
import { getRecoveryCodesState } from "#packages/login/plugins/recovery/recovery-codes.ts";
import { now } from "#packages/login/process/state.ts";
import { Browsers } from "#packages/react/account/browsers.tsx";
import { SignInMethods } from "#packages/react/account/sign-in-methods.tsx";
import { Container } from "#packages/react/ui/elements.tsx";
import { currentPerson, currentSession } from "../current-person.ts";
import { AccountHealth } from "./health.tsx";
import { describeHistoryEntry, isTrialWallet, LoginHistory, walletName, withArticle } from "./history.tsx";
import { createNotices, findRecoveryIds } from "./notices.ts";

export const metadata: Metadata = { title: "Dashboard" };

/** Longer than any sid, but short enough for the Location header. */
const SID_LENGTH = 128;

export default async function DashboardPage({ searchParams }: PageProps<"/dashboard">) {
  const { sid } = await searchParams;
  // A fast login ends here (docs/protocol.md#64-get-dashboardsid). Pages cannot set cookies, so a route handler signs
  // in.
  if (sid !== undefined)
    redirect(`/dashboard/enter?${new URLSearchParams({ sid: String(sid).slice(0, SID_LENGTH) })}`);
  const [session, person] = await Promise.all([currentSession(), currentPerson()]);
  if (!session || !person)
    redirect(
      (await findAddedKeyQuestionPath(loginCore(), await readBrowserSecret())) ??
        "/login?callbackUrl=%2Fdashboard",
    );
  // Reads the account first, so that all other data already includes the changes in the account's history.
  const read = await readAccount(loginCore(), session);
  const seenCookieValue = (await cookies()).get(getSeenChangesCookieName(env().APP_URL.protocol))?.value;
  const { account, justDone } = changesForBrowser(read, seenCookieValue);
  const [apiKeys, codes, domains] = await Promise.all([
    countUserApiKeys(session.userId),
    getRecoveryCodesState(loginCore(), session.userId),
    countUserDomains(session.userId),
  ]);
  const { signedInWith } = account;
  const credentials = account.signInMethods.map(listed);
  const nameOf = (credential: string | null) => {
    const { label, device } = credentials.find(({ name }) => name === credential) ?? {};
    return label ?? (device === undefined ? null : withArticle(device));
  };
  const signInMethodTexts = (credential: string) => nameOf(credential) ?? "a sign-in method that was removed";
  const working = credentials.filter(({ isGone }) => !isGone).length;
  // Only the holder of the recovered key sees the steps after a recovery. Holders of other keys see a notice instead:
  // someone else might have found a recovery code.
  const recoveredHere = read.history.some(
    ({ kind, credential }) => kind === "recovered" && credential === signedInWith,
  );
  const recoveredAt = recoveredHere ? findUnfinishedRecoveryTime(codes) : null;
  return (
    <Container className="grid gap-6">
      <ProfileCard
        person={person}
        signedInWith={signInMethodTexts(signedInWith)}
        signedInAt={session.createdAt.toISOString()}
      />
      <AccountHealth
        ways={working}
        codes={codes.active}
        canAdd={hasRecentSignIn(session, now())}
        isTaskBelow={recoveredAt !== null}
      />
      <AccountNotices items={createNotices(account, nameOf, recoveredAt)} />
      {recoveredAt && (
        <AfterRecovery
          ids={findRecoveryIds(account, recoveredAt)}
          apiKeys={apiKeys}
          oldMethods={credentials.flatMap(({ id, label, device, name, isFromBeforeRecovery }) =>
            isFromBeforeRecovery
              ? [{ id, name: `${label ?? device}, ${fingerprintWords(name)?.join(" ") ?? name}` }]
              : [],
          )}
        />
      )}
      <SignInMethods account={{ signInMethods: credentials, signedInWith }} actions={<AddSignInMethod />}>
        <RecoveryCodesItem codes={codes.active} />
      </SignInMethods>
      <Browsers
        account={{
          browsers: account.browsers.map((browser) => ({
            ...browser,
            signedInWith: signInMethodTexts(browser.signedInWith),
          })),
        }}
        // If there is only one browser, this button would do the same as "Sign out".
        actions={
          (account.browsers.length > 1 || apiKeys > 0) && (
            <SignOutEverywhere apiKeys={apiKeys} isLast={working === 0} />
          )
        }
      />
      <LoginHistory events={account.history} {...{ signedInWith, nameOf }} />
      <AccountDataCard apiKeys={apiKeys} domains={domains} />
      <DoneNotice key={justDone?.id} what={justDone?.what ?? null} />
    </Container>
  );
}

/** How long the page shows a confirmation of a change made in this browser. */
const JUST_NOW_MS = 20_000;

/**
 * Returns the account without the changes that this browser made or dismissed, and the last change that this browser
 * made.
 */
function changesForBrowser(account: Account, seenCookieValue: string | undefined) {
  const { open, ownChanges } = splitChanges(account.changes, seenCookieValue);
  const [latest] = ownChanges.filter(({ at }) => now().getTime() - Date.parse(at) < JUST_NOW_MS);
  const what = latest && describeHistoryEntry(latest);
  return {
    account: {
      ...account,
      changes: open,
      newBrowsers: account.newBrowsers.filter(({ id }) => !isDismissed(id, seenCookieValue)),
      undone: account.undone.filter(({ id }) => !isDismissed(id, seenCookieValue)),
    },
    justDone: what ? { id: latest.id, what } : null,
  };
}

function listed(signInMethod: SignInMethod) {
  const { kind, name, platform, lastUsedIn } = signInMethod;
  const device = kind === "address" ? `Bitcoin address …${name.slice(-6)}` : walletName(platform, lastUsedIn);
  return { ...signInMethod, device: device ?? "Wallet", isGone: isTrialWallet(platform) };
}
