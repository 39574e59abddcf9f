"use client";

import { useState } from "react";
import { svcSource } from "#lib/client/svc-source.ts";
import { useLogin } from "#lib/client/use-login.ts";
import type { Action } from "#lib/contracts/challenge.ts";
import { LoginPanel } from "./login-panel.tsx";

/** Flow A's login panel, alive. */
export function SvcLogin({
  action,
  domain,
  demoWallet,
  callbackUrl,
  registerHref,
}: {
  action: Action;
  domain: string;
  demoWallet: boolean;
  /** A path of this origin, or null. */
  callbackUrl: string | null;
  registerHref: string | null;
}) {
  const [source] = useState(() => svcSource(action));
  const { state, resume, restart } = useLogin(source, callbackUrl);
  return (
    <LoginPanel
      action={action}
      domain={domain}
      state={state}
      demoWallet={demoWallet}
      registerHref={registerHref}
      onResume={resume}
      onRestart={restart}
    />
  );
}
