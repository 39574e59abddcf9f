"use client";

import { hostedDemoSource } from "#lib/client/login-source.ts";
import { useLogin } from "#lib/client/use-login.ts";
import { LoginPanel } from "./login-panel.tsx";

/** The demo integrator's login panel on the hosted API, alive. */
export function HostedLogin({
  domain,
  demoWallet,
  callbackUrl,
}: {
  domain: string;
  demoWallet: boolean;
  /** A path of this origin, or null. */
  callbackUrl: string | null;
}) {
  const { state, resume, restart } = useLogin(hostedDemoSource, callbackUrl);
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
