import { ApprovalProvider } from "#components/approval/approval-provider.tsx";
import { PendingRecovery } from "#components/recovery/account-notices.tsx";
import { currentSession } from "#lib/platform/current-session.ts";
import { env } from "#lib/platform/env.ts";
import { loginCore } from "#lib/platform/login.ts";
import { findPendingRecovery } from "#lib/recovery/store/recovery.ts";
import { browserName } from "./dashboard/browser-name.ts";
import { credentialName } from "./dashboard/credential-name.ts";

/** The layout of pages on which the account can be changed. A recovery that waits stands above each of them. */
export async function WithApproval({ children }: { children: React.ReactNode }) {
  const session = await currentSession();
  const pending = session && (await findPendingRecovery(loginCore().database, session.userId));
  return (
    <ApprovalProvider domain={env().DOMAIN} demoWallet={env().DEMO_WALLET}>
      {pending && (
        <PendingRecovery
          takesEffectAt={pending.takesEffectAt.toISOString()}
          openedAt={pending.openedAt.toISOString()}
          browser={browserName(pending.userAgent)}
          credential={credentialName(pending.credential)}
        />
      )}
      {children}
    </ApprovalProvider>
  );
}
