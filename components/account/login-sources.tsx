"use client";

import { addedKeySource } from "@svc/login/account";
import type { LoginSource } from "@svc/login/client";
import { approvalSource, watchChanges } from "@svc/login/client";
import { RECOVERY_PATH, recoverySource } from "@svc/login/recovery";
import { useEffect } from "react";
import { withCodeHandover } from "#components/wallet/code-handover.ts";
import { stopLoginOnForbidden, withConfirmationPage } from "#packages/login/client/login-source.ts";
import { createFastLoginSource, issueFastCode } from "#packages/login/plugins/fast/fast-source.ts";
import { ApprovalProvider } from "#packages/react/approval/approval-provider.tsx";
import { recordOwnChange } from "./seen-changes.ts";

const CONFIRM_ADDITION_PATH = "/dashboard/add/confirm";

/*
 * A wallet in another tab also gets the QR codes. Call this function only once: a login source must be the same object
 * in every render.
 */
const sourcesOf = (site: LoginSource, fast: LoginSource) => ({
  public_key: withCodeHandover(site),
  address: withCodeHandover(fast),
});
const fastWith = (intent: string): LoginSource => ({
  ...createFastLoginSource(),
  issue: (sid) => issueFastCode(sid, { intent }),
});

export const ADD_KEY_SOURCES = sourcesOf(
  addedKeySource(CONFIRM_ADDITION_PATH),
  withConfirmationPage(CONFIRM_ADDITION_PATH, fastWith("add")),
);

export const APPROVAL_SOURCES = sourcesOf(approvalSource(), stopLoginOnForbidden(fastWith("approve")));

export const RECOVERY_SOURCES = sourcesOf(
  recoverySource(),
  withConfirmationPage(RECOVERY_PATH, fastWith("recover")),
);

export function AccountApproval(props: { domain: string; demoWallet: boolean; children: React.ReactNode }) {
  useEffect(() => watchChanges(recordOwnChange), []);
  return <ApprovalProvider {...props} sources={APPROVAL_SOURCES} />;
}
