"use client";

import { useEffect } from "react";
import { fastRecoveringSource, siteRecoveringSource } from "#components/account/adding-sources.ts";
import { Login, type LoginProps } from "#components/login/login.tsx";
import { handingOver } from "#components/wallet/code-handover.ts";

// Made once: a source has to be the same object at every render.
const SOURCES = {
  public_key: handingOver(siteRecoveringSource()),
  address: handingOver(fastRecoveringSource()),
};

/** The code whose answer becomes the account's new key, while the permission lasts. */
export function RecoveryLogin({
  kind,
  leftMs,
  ...props
}: LoginProps & {
  kind: keyof typeof SOURCES;
  /** How long the permission lasts. */
  leftMs: number;
}) {
  useEffect(() => {
    const timer = setTimeout(() => window.location.reload(), leftMs + 1_000);
    return () => clearTimeout(timer);
  }, [leftMs]);
  return <Login {...props} action="recover" source={SOURCES[kind]} />;
}
