"use client";

import { useState } from "react";
import { fastSource } from "#lib/client/login-source.ts";
import { useLogin } from "#lib/client/use-login.ts";
import { LoginPanel } from "./login-panel.tsx";

/** Flow C's login panel, alive. */
export function FastLogin({
  domain,
  demoWallet,
  callbackUrl,
}: {
  domain: string;
  demoWallet: boolean;
  /** A path of this origin, or null. */
  callbackUrl: string | null;
}) {
  const [source] = useState(fastSource);
  const { state, resume, restart } = useLogin(source, callbackUrl);
  return (
    <LoginPanel
      action="login"
      domain={domain}
      state={state}
      demoWallet={demoWallet}
      registerHref={null}
      onResume={resume}
      onRestart={restart}
    />
  );
}
