import { currentSession } from "#app/current-person.ts";
import { AccountApproval } from "#components/account/login-sources.tsx";
import { loginCore } from "#lib/login.ts";
import { env } from "#lib/platform/env.ts";
import { readPendingRecovery } from "#packages/login/plugins/recovery/read-recovery.ts";
import { PendingRecovery } from "#packages/react/recovery/pending-recovery.tsx";

/** The console's pages also use this layout. */
export default async function ApprovalLayout({ children }: { children: React.ReactNode }) {
  const session = await currentSession();
  const pending = session && (await readPendingRecovery(loginCore(), session.userId));
  return (
    <AccountApproval domain={env().DOMAIN} demoWallet={env().DEMO_WALLET}>
      {pending && <PendingRecovery {...pending} />}
      {children}
    </AccountApproval>
  );
}
