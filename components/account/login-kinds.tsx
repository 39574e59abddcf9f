"use client";

import { useMemo } from "react";
import { type AskWithApproval, useApproval } from "#components/approval/approval-provider.tsx";
import { HostedLogin } from "#components/login/hosted-login.tsx";
import { Login, type LoginProps } from "#components/login/login-panel.tsx";
import { handingOver } from "#components/wallet/code-handover.ts";
import type { ApprovalWay } from "#lib/approval/details.ts";
import { hostedSource } from "#lib/customer/hosted-source.ts";
import { fastSource } from "#lib/fast/fast-source.ts";
import type { LoginSource } from "#lib/login/client/login-source.ts";
import { fastAddingSource, siteAddingSource } from "./login-sources.ts";

/*
 * The panel with the sources that this application has beside the site's own. Each hands its codes over to a wallet in
 * another tab. Sources are made once: one has to be the same object at every render.
 */
const FAST = handingOver(fastSource());
const DEMO = handingOver(hostedSource("/api/hosted-demo"));
const ADDING = { public_key: handingOver(siteAddingSource()), address: handingOver(fastAddingSource()) };

/** A login with a Bitcoin address. */
export function FastLogin(props: LoginProps) {
  return <Login {...props} action="login" source={FAST} />;
}

/** A login at the demo customer of the hosted API. */
export function DemoLogin(props: LoginProps) {
  return <HostedLogin {...props} source={DEMO} />;
}

/** A code whose answer is added to the ways in which the signed-in user signs in. It takes an approval itself. */
export function AddLogin({
  kind,
  ways,
  ...props
}: LoginProps & {
  kind: keyof typeof ADDING;
  /** What its user can approve with; the same array at every render. */
  ways: readonly ApprovalWay[];
}) {
  const ask = useApproval();
  const source = useMemo(() => approvedFirst(ADDING[kind], ways, ask), [kind, ways, ask]);
  return <Login {...props} action="add" source={source} />;
}

/** The same source, which has its user approve where the server asks for it. Who does not, leaves. */
function approvedFirst(source: LoginSource, ways: readonly ApprovalWay[], ask: AskWithApproval): LoginSource {
  const issue: LoginSource["issue"] = async (sid) => {
    const { outcome, approval } = await ask(async () => {
      const outcome = await source.issue(sid);
      return { outcome, approval: outcome.kind === "forbidden" ? ways : null };
    });
    if (approval) window.location.assign("/dashboard");
    return outcome;
  };
  return { ...source, issue };
}
