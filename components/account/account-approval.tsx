"use client";

import { siteApprovingSource } from "@svc/login/recovery";
import { ApprovalProvider } from "#components/approval/approval-provider.tsx";
import { handingOver } from "#components/wallet/code-handover.ts";
import { fastApprovingSource } from "./login-sources.ts";

// Made once: a source has to be the same object at every render.
const SOURCES = {
  public_key: handingOver(siteApprovingSource()),
  address: handingOver(fastApprovingSource()),
};

/** Approvals as they are given here: by a wallet's key or by an address. */
export function AccountApproval(props: { domain: string; demoWallet: boolean; children: React.ReactNode }) {
  return <ApprovalProvider {...props} sources={SOURCES} />;
}
