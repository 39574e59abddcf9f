"use client";

import { siteRecoveringSource } from "@svc/login/recovery";
import type { LoginProps } from "#components/login/login-panel.tsx";
import { RecoveryLogin } from "#components/recovery/recovery-screen.tsx";
import { handingOver } from "#components/wallet/code-handover.ts";
import { fastRecoveringSource } from "./login-sources.ts";

// Made once: a source has to be the same object at every render.
const SOURCES = {
  public_key: handingOver(siteRecoveringSource()),
  address: handingOver(fastRecoveringSource()),
};

/** A recovery's code as it is here: for a wallet's key or for an address. */
export function AccountRecoveryLogin({
  kind,
  ...props
}: LoginProps & { kind: keyof typeof SOURCES; leftMs: number }) {
  return <RecoveryLogin {...props} source={SOURCES[kind]} />;
}
