"use client";

import type { ApprovalMethod, LoginSource } from "@svc/login/client";
import { useCallback, useState } from "react";
import { Login } from "../login/login-panel.tsx";
import { Button } from "../ui/button.tsx";
import { Modal } from "../ui/dialog.tsx";
import { useWords } from "../words/words.tsx";

/** The sources of codes that approve a change, by what answers the codes. */
export type ApprovingSources = Partial<Record<ApprovalMethod, LoginSource>>;

/**
 * Shows the code that approves a change, over the page that asks for it. Escape and "Cancel" leave all as it was.
 */
export default function ApprovalDialog({
  ways,
  change,
  sources,
  domain,
  demoWallet,
  onAnswer,
}: {
  /** The means of approval, the most likely first. */
  ways: readonly ApprovalMethod[];
  /** The change to approve, in words. */
  change?: string;
  sources: ApprovingSources;
  domain: string;
  demoWallet: boolean;
  onAnswer: (approved: boolean) => void;
}) {
  const { approval, controls } = useWords();
  const offered = ways.filter((each) => sources[each]);
  const [way, setWay] = useState<ApprovalMethod>(offered[0] ?? "public_key");
  const source = sources[way];
  const other = offered.find((each) => each !== way);
  const approved = useCallback(() => onAnswer(true), [onAnswer]);
  const cancel = () => onAnswer(false);
  return (
    <Modal
      title={approval.title}
      text={
        <>
          {change && <strong className="mb-1 block font-semibold text-foreground text-lg">{change}</strong>}
          {approval.text}
        </>
      }
      focusesTitle
      onCancel={cancel}
      className="max-w-sm bg-background"
    >
      <div className="mt-4">
        {source && (
          <Login
            key={way}
            action="approve"
            source={source}
            domain={domain}
            demoWallet={demoWallet}
            onAnswered={approved}
          />
        )}
      </div>
      <div className="mt-4 flex flex-wrap justify-between gap-3">
        <Button onClick={cancel}>{controls.cancel}</Button>
        {other && (
          <Button size="small" onClick={() => setWay(other)}>
            {other === "address" ? approval.withAddress : approval.withKey}
          </Button>
        )}
      </div>
    </Modal>
  );
}
