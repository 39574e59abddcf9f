"use client";

import type { LoginSource } from "@svc/login/client";
import type { ApprovalWay } from "@svc/login/recovery";
import { useRouter } from "next/navigation";
import { type ComponentProps, useCallback, useMemo } from "react";
import { type AskWithApproval, useApproval } from "#components/approval/approval-provider.tsx";
import { Login, type LoginProps } from "#components/login/login-panel.tsx";
import { LoginPage } from "#components/trial/login-page.tsx";
import { ButtonLink } from "#components/ui/elements.tsx";
import { handingOver } from "#components/wallet/code-handover.ts";
import { fastSource } from "#lib/login/fast/fast-source.ts";
import { TRACED_SOURCE } from "./hosted-trace.tsx";
import { ADDING } from "./login-sources.ts";

/*
 * The panel with the sources that this application has beside the site's own. Each hands its codes over to a wallet in
 * another tab. Sources are made once: one has to be the same object at every render.
 */
const FAST = handingOver(fastSource());
const DEMO = handingOver(TRACED_SOURCE);

type LoginKindProps = Omit<ComponentProps<typeof LoginPage>, "action" | "source" | "trial">;

/** The page of a login with a Bitcoin address; with `isOpen`, an address that is new gets an account. */
export function FastLogin({ isOpen, ...props }: LoginKindProps & { isOpen: boolean }) {
  return <LoginPage {...props} action="login" source={FAST} trial={isOpen ? undefined : null} />;
}

const EVENT_TAKES_MS = 2_000;

/**
 * The page of a login at the demo customer of the hosted API. Whoever came to see how it works stays to see it: the
 * event and the redemption come last.
 */
export function DemoLogin(props: LoginKindProps) {
  const router = useRouter();
  // The head of the page says who is signed in. That a login was taken back, an event says: a moment later.
  const stay = useCallback(() => {
    router.refresh();
    setTimeout(router.refresh, EVENT_TAKES_MS);
  }, [router]);
  const end = props.callbackUrl === null && {
    onAnswered: stay,
    next: (
      <ButtonLink variant="primary" href="/dashboard">
        Open your dashboard
      </ButtonLink>
    ),
  };
  return <LoginPage {...props} {...end} action="login" source={DEMO} />;
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
    }, "Add a way to sign in");
    if (approval) window.location.assign("/dashboard");
    return outcome;
  };
  return { ...source, issue };
}
