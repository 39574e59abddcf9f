"use client";

import { ApprovalProvider } from "#components/approval/approval-provider.tsx";
import { APPROVING } from "./login-sources.ts";

/** Approvals as they are given here: by a wallet's key or by an address. */
export function AccountApproval(props: { domain: string; demoWallet: boolean; children: React.ReactNode }) {
  return <ApprovalProvider {...props} sources={APPROVING} />;
}
