import { ApprovalProvider } from "#components/approval/approval-provider.tsx";
import { env } from "#lib/core/env.ts";

/** The layout of pages on which the account can be changed. */
export function WithApproval({ children }: { children: React.ReactNode }) {
  return (
    <ApprovalProvider domain={env().DOMAIN} demoWallet={env().DEMO_WALLET}>
      {children}
    </ApprovalProvider>
  );
}
