"use client";

import type { ApprovalMethod, LoginSource } from "@svc/login/client";
import { useMemo } from "react";
import { LoginPage, type LoginPageProps } from "#components/trial/login-page.tsx";
import { withCodeHandover } from "#components/wallet/code-handover.ts";
import { createFastLoginSource } from "#packages/login/plugins/fast/fast-source.ts";
import { type RequestWithApproval, useApproval } from "#packages/react/approval/approval-provider.tsx";
import { Login, type LoginProps } from "#packages/react/login/login-panel.tsx";
import { RecoveryLogin } from "#packages/react/recovery/recovery-screen.tsx";
import { ADD_KEY_SOURCES, RECOVERY_SOURCES } from "./login-sources.tsx";

// Created only once, because a login source must be the same object in every render.
const FAST = withCodeHandover(createFastLoginSource());

/** If `isOpen` is true, answering with an unknown address creates an account. */
export function FastLogin({
  isOpen,
  ...props
}: Omit<LoginPageProps, "action" | "source" | "trial"> & { isOpen: boolean }) {
  return <LoginPage {...props} action="login" source={FAST} trial={isOpen ? undefined : null} />;
}

/** The user must first approve the change. */
export function AddLogin({
  kind,
  ways,
  ...props
}: LoginProps & {
  kind: keyof typeof ADD_KEY_SOURCES;
  /** Must be the same array in every render. */
  ways: readonly ApprovalMethod[];
}) {
  const ask = useApproval();
  const source = useMemo(() => approvedFirst(ADD_KEY_SOURCES[kind], ways, ask), [kind, ways, ask]);
  return <Login {...props} action="add" source={source} />;
}

/** If the user does not approve, the browser leaves the page. */
function approvedFirst(
  source: LoginSource,
  methods: readonly ApprovalMethod[],
  ask: RequestWithApproval,
): LoginSource {
  const issue: LoginSource["issue"] = async (sid) => {
    const { outcome, approval } = await ask(async () => {
      const outcome = await source.issue(sid);
      return { outcome, approval: outcome.kind === "forbidden" ? methods : null };
    }, "Add a sign-in method");
    if (approval) window.location.assign("/dashboard");
    return outcome;
  };
  return { ...source, issue };
}

export function AccountRecoveryLogin({
  kind,
  ...props
}: LoginProps & { kind: keyof typeof RECOVERY_SOURCES; leftMs: number }) {
  return <RecoveryLogin {...props} source={RECOVERY_SOURCES[kind]} />;
}
