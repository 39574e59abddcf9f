"use client";

import { addedKeySource } from "@svc/login/account";
import type { LoginSource } from "@svc/login/client";
import { approvalSource, watchChanges } from "@svc/login/client";
import { RECOVERY_PATH, recoverySource } from "@svc/login/recovery";
import { useEffect } from "react";
import { withCodeHandover } from "#components/wallet/code-handover.ts";
import { confirmOnPage, endOnForbidden } from "#packages/login/client/login-source.ts";
import { fastSource, issueFastCode } from "#packages/login/plugins/fast/fast-source.ts";
import { ApprovalProvider } from "#packages/react/approval/approval-provider.tsx";
import { recordOwnChange } from "./seen-changes.ts";

/** The page where the user confirms an answer that adds a sign-in method instead of signing in. */
const CONFIRM_ADDITION_PATH = "/dashboard/add/confirm";

/*
 * Sources of codes, by the kind of sign-in method that answers them: a wallet's key or an address. Each is also handed
 * over to a wallet in another tab. Created once, because a source must be the same object at every render.
 */
const sourcesOf = (site: LoginSource, fast: LoginSource) => ({
  public_key: withCodeHandover(site),
  address: withCodeHandover(fast),
});
const fastWith = (intent: string): LoginSource => ({
  ...fastSource(),
  issue: (sid) => issueFastCode(sid, { intent }),
});

/** Codes whose answer adds a sign-in method to the signed-in user's account. */
export const ADD_KEY_SOURCES = sourcesOf(
  addedKeySource(CONFIRM_ADDITION_PATH),
  confirmOnPage(CONFIRM_ADDITION_PATH, fastWith("add")),
);

/** Codes whose answer approves a change. */
export const APPROVAL_SOURCES = sourcesOf(approvalSource(), endOnForbidden(fastWith("approve")));

/** Sources of codes whose answer gives access to the account that this browser recovers. */
export const RECOVERY_SOURCES = sourcesOf(
  recoverySource(),
  confirmOnPage(RECOVERY_PATH, fastWith("recover")),
);

/** Lets users approve changes with a wallet's key or an address. Records the changes that this browser makes. */
export function AccountApproval(props: { domain: string; demoWallet: boolean; children: React.ReactNode }) {
  useEffect(() => watchChanges(recordOwnChange), []);
  return <ApprovalProvider {...props} sources={APPROVAL_SOURCES} />;
}
