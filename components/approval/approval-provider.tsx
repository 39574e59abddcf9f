"use client";

import { lazy, Suspense, useCallback, useState } from "react";
import { ApprovalContext, type AskWithApproval } from "#lib/client/use-approval.ts";
import type { ApprovalWay } from "#lib/contracts/approval.ts";

// Few visits need it: the code's drawing is loaded when one does.
const ApprovalDialog = lazy(() => import("./approval-dialog.tsx"));

type Question = { ways: readonly ApprovalWay[]; answer: (approved: boolean) => void };

/** Lets what is inside have a change approved in place, without losing what its user was doing. */
export function ApprovalProvider({
  domain,
  demoWallet,
  children,
}: {
  domain: string;
  demoWallet: boolean;
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
            domain={domain}
            demoWallet={demoWallet}
            onAnswer={question.answer}
          />
        </Suspense>
      )}
    </ApprovalContext>
  );
}
