"use client";

import type { LoginProps } from "#components/login/login-panel.tsx";
import { RecoveryLogin } from "#components/recovery/recovery-screen.tsx";
import { RECOVERING } from "./login-sources.ts";

/** A recovery's code as it is here: for a wallet's key or for an address. */
export function AccountRecoveryLogin({
  kind,
  ...props
}: LoginProps & { kind: keyof typeof RECOVERING; leftMs: number }) {
  return <RecoveryLogin {...props} source={RECOVERING[kind]} />;
}
