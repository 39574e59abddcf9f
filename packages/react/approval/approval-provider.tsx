"use client";

import { type ApprovalMethod, approvalSource, type ChangeResult, signInAgainPath } from "@svc/login/client";
import { useRouter } from "next/navigation";
import { createContext, lazy, Suspense, useCallback, useContext, useState, useTransition } from "react";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "../ui/button.tsx";
import type { ButtonLook } from "../ui/button-look.tsx";
import { Problem, TextLink } from "../ui/elements.tsx";
import type { ApprovalSources } from "./approval-dialog.tsx";

/** If the change first needs an approval, `approval` lists the methods that can approve it. */
type Approvable = { approval?: readonly ApprovalMethod[] | null };

/**
 * If the change needs an approval, the user approves it on the same page, and the change is requested again. Resolves
 * to the last response, which is the refusal if the user did not approve.
 */
export type RequestWithApproval = <Result extends Approvable>(
  ask: () => Promise<Result>,
  change?: string,
) => Promise<Result>;

const ApprovalContext = createContext<RequestWithApproval | null>(null);

/** @throws {Error} if the component is not inside an `ApprovalProvider` */
export function useApproval(): RequestWithApproval {
  const ask = useContext(ApprovalContext);
  if (!ask) throw new Error("This component needs an ApprovalProvider around it.");
  return ask;
}

// The dialog and the QR code's renderer are loaded on demand, because few visits need them.
const ApprovalDialog = lazy(async () => ({
  default: (await import("./approval-dialog.tsx")).ApprovalDialog,
}));

// Created once, because a source must be the same object in every render.
const SITE_SOURCES: ApprovalSources = { public_key: approvalSource() };

type Question = { ways: readonly ApprovalMethod[]; change?: string; answer: (approved: boolean) => void };

/** Approvals take place on the current page, so that users do not lose their work. */
export function ApprovalProvider({
  domain,
  demoWallet = false,
  sources = SITE_SOURCES,
  children,
}: {
  domain: string;
  demoWallet?: boolean;
  sources?: ApprovalSources;
  children: React.ReactNode;
}) {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask: RequestWithApproval = useCallback(async (act, change) => {
    for (;;) {
      const result = await act();
      const methods = result.approval;
      if (!methods) return result;
      const approved = await new Promise<boolean>((answer) => setQuestion({ ways: methods, change, answer }));
      setQuestion(null);
      if (!approved) return result;
    }
  }, []);
  return (
    <ApprovalContext value={ask}>
      {children}
      {question && (
        <Suspense>
          <ApprovalDialog
            ways={question.ways}
            change={question.change}
            sources={sources}
            domain={domain}
            demoWallet={demoWallet}
            onAnswer={question.answer}
          />
        </Suspense>
      )}
    </ApprovalContext>
  );
}

type RefusedChange = Extract<ChangeResult, { done: false }>;

/** Renders the reason why the site refused a change, with a link to sign in again if the sign-in has ended. */
export function useRefusal(): (refusal: RefusedChange) => React.ReactNode {
  const { refusal, signInAgain, approval: texts } = useTexts();
  return ({ code, message, approval }) => {
    // Cancelling the approval is not an error.
    if (approval) return <span className="svc-muted-text">{texts.cancelled}</span>;
    if (code !== "not_signed_in") return refusal(code, message);
    return (
      <>
        {refusal(code, message)} <TextLink href={signInAgainPath()}>{signInAgain}</TextLink>
      </>
    );
  };
}

export function useChange() {
  const ask = useApproval();
  const refusal = useRefusal();
  const [refused, setRefused] = useState<RefusedChange | null>(null);
  const [pending, start] = useTransition();
  const change = (
    request: () => Promise<ChangeResult>,
    onDone: (answer: unknown) => void,
    what?: string,
    onRefused?: (refusal: RefusedChange) => void,
  ) =>
    start(async () => {
      const result = await ask(request, what);
      setRefused(result.done ? null : result);
      if (result.done) onDone(result.body);
      else onRefused?.(result);
    });
  const problem = refused && refusal(refused);
  return { pending, refused, problem, change, forgetProblem: () => setRefused(null) };
}

/** Refreshes the page after the change. */
export function ChangeButton({
  ask,
  busyLabel,
  variant,
  describe,
  children,
}: {
  ask: () => Promise<ChangeResult>;
  busyLabel: string;
  variant?: ButtonLook["variant"];
  /** For screen reader users, who do not see the text next to the button. */
  describe?: string;
  /** Also describes the change to the user who approves it. */
  children: string;
}) {
  const router = useRouter();
  const { pending, problem, change } = useChange();
  return (
    <span className="svc-inline">
      <Button
        size="small"
        variant={variant}
        disabled={pending}
        aria-label={describe}
        onClick={() => change(ask, () => router.refresh(), children)}
      >
        {pending ? busyLabel : children}
      </Button>
      <Problem>{problem}</Problem>
    </span>
  );
}
