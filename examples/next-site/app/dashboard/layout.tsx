import { ApprovalProvider, PendingRecovery } from "@svc/react";
import { headers } from "next/headers";
import { login } from "@/lib/login.ts";

/** Lets users approve changes without leaving the page, and shows a pending recovery above every page. */
export default async function DashboardLayout({ children }: { children: React.ReactNode }) {
  const account = await login.recovery.ofAccount(await headers());
  return (
    <ApprovalProvider domain={await login.domain()}>
      {account?.pending && <PendingRecovery {...account.pending} />}
      {children}
    </ApprovalProvider>
  );
}
