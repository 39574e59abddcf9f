"use client";

import { useState } from "react";
import { fastAddingSource, svcAddingSource } from "#lib/client/login-source.ts";
import { useLogin } from "#lib/client/use-login.ts";
import { LoginPanel } from "./login-panel.tsx";

/** The panel of either flow for a signed-in user who adds a wallet's key or an address; confirmed on the next page. */
export function CredentialAddition({
  kind,
  domain,
  demoWallet,
}: {
  kind: "wallet" | "address";
  domain: string;
  demoWallet: boolean;
}) {
  const [source] = useState(() => (kind === "address" ? fastAddingSource() : svcAddingSource()));
  const { state, resume, restart } = useLogin(source, null);
  return (
    <LoginPanel
      action="add"
      domain={domain}
      state={state}
      demoWallet={demoWallet}
      registerHref={null}
      onResume={resume}
      onRestart={restart}
    />
  );
}
