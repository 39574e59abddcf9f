"use client";

import { useEffect } from "react";
import { Login, type LoginProps } from "#components/login/login.tsx";
import type { LoginSource } from "#lib/login/client/login-source.ts";
import { siteRecoveringSource } from "#lib/recovery/client/recovering-source.ts";

// Made once: a source has to be the same object at every render.
const SOURCE = siteRecoveringSource();

/** The code whose answer becomes the account's new key, while the permission lasts. */
export function RecoveryLogin({
  leftMs,
  source = SOURCE,
  ...props
}: LoginProps & {
  /** How long the permission lasts. */
  leftMs: number;
  source?: LoginSource;
}) {
  useEffect(() => {
    const timer = setTimeout(() => window.location.reload(), leftMs + 1_000);
    return () => clearTimeout(timer);
  }, [leftMs]);
  return <Login {...props} action="recover" source={source} />;
}
