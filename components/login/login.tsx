"use client";

import { fastAddingSource, fastApprovingSource, fastSource } from "#lib/client/fast-source.ts";
import { hostedDemoSource } from "#lib/client/hosted-demo-source.ts";
import type { LoginSource } from "#lib/client/login-source.ts";
import { shownCode } from "#lib/client/login-state.ts";
import { svcAddingSource, svcApprovingSource, svcSource } from "#lib/client/svc-source.ts";
import { useLogin } from "#lib/client/use-login.ts";
import { CodeActions } from "./code-actions.tsx";
import { LoginPanel } from "./login-panel.tsx";
import type { PanelAction } from "./panel-words.ts";

/**
 * What a page can choose, by name: a source is made of functions, and those do not pass from the server's page to
 * the browser's component. Made once, so that each is the same object at every render.
 */
const SOURCES = {
  "svc-login": { action: "login", source: svcSource("login") },
  "svc-register": { action: "register", source: svcSource("register") },
  "svc-add": { action: "add", source: svcAddingSource() },
  "svc-approve": { action: "approve", source: svcApprovingSource() },
  "fast-login": { action: "login", source: fastSource() },
  "fast-add": { action: "add", source: fastAddingSource() },
  "fast-approve": { action: "approve", source: fastApprovingSource() },
  "hosted-login": { action: "login", source: hostedDemoSource },
} satisfies Record<string, { action: PanelAction; source: LoginSource }>;

/** The login panel of every flow, alive. */
export function Login({
  from,
  domain,
  demoWallet,
  callbackUrl = null,
  registerHref = null,
  onAnswered = null,
}: {
  from: keyof typeof SOURCES;
  domain: string;
  demoWallet: boolean;
  /** A path of this origin, or null: where the server says. */
  callbackUrl?: string | null;
  registerHref?: string | null;
  /** Called instead of going anywhere, where the page itself goes on. */
  onAnswered?: (() => void) | null;
}) {
  const { action, source } = SOURCES[from];
  const { state, resume, restart } = useLogin(source, callbackUrl, onAnswered);
  return (
    <LoginPanel
      action={action}
      domain={domain}
      state={state}
      ways={<CodeActions qr={shownCode(state)} demoWallet={demoWallet} />}
      registerHref={registerHref}
      onResume={resume}
      onRestart={restart}
    />
  );
}
