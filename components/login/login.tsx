"use client";

import type { LoginSource } from "#lib/login/client/login-source.ts";
import { shownCode } from "#lib/login/client/login-state.ts";
import { useLogin } from "#lib/login/client/use-login.ts";
import { CodeActions } from "./code-actions.tsx";
import { LoginPanel } from "./login-panel.tsx";
import type { PanelAction } from "./panel-words.ts";

export type LoginProps = {
  domain: string;
  demoWallet?: boolean;
  /** A path of this origin, or null: where the server says. */
  callbackUrl?: string | null;
  registerHref?: string | null;
  /** Called instead of going anywhere, where the page itself goes on. */
  onAnswered?: (() => void) | null;
};

/**
 * The login panel, alive.
 * @param props.source where its codes and statuses come from; the same object at every render
 */
export function Login({
  source,
  action,
  demoWallet = false,
  callbackUrl = null,
  registerHref = null,
  onAnswered = null,
  ...props
}: LoginProps & { source: LoginSource; action: PanelAction }) {
  const { state, resume, restart } = useLogin(source, callbackUrl, onAnswered);
  return (
    <LoginPanel
      {...props}
      action={action}
      state={state}
      ways={<CodeActions qr={shownCode(state)} demoWallet={demoWallet} />}
      registerHref={registerHref}
      onResume={resume}
      onRestart={restart}
    />
  );
}
