"use client";

import { lazy, Suspense, useCallback, useState } from "react";
import type { ApprovalWay } from "#lib/approval/details.ts";
import { siteApprovingSource } from "#lib/approval/sources.ts";
import type { ApprovingSources } from "./approval-dialog.tsx";
import { ApprovalContext, type AskWithApproval } from "./use-approval.ts";

// Few visits need it: the code's drawing is loaded when one does.
const ApprovalDialog = lazy(() => import("./approval-dialog.tsx"));

// Made once: a source has to be the same object at every render.
const SITE_SOURCES: ApprovingSources = { public_key: siteApprovingSource() };

type Question = { ways: readonly ApprovalWay[]; answer: (approved: boolean) => void };

/** Lets what is inside have a change approved in place, without losing what its user was doing. */
export function ApprovalProvider({
  domain,
  demoWallet = false,
  sources = SITE_SOURCES,
  children,
}: {
  domain: string;
  demoWallet?: boolean;
  sources?: ApprovingSources;
  children: React.ReactNode;
}) {
  const [question, setQuestion] = useState<Question | null>(null);
  const ask: AskWithApproval = useCallback(async (act) => {
    for (;;) {
      const result = await act();
      const ways = result.approval;
      if (!ways) return result;
      const approved = await new Promise<boolean>((answer) => setQuestion({ ways, answer }));
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
