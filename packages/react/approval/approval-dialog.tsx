"use client";

import type { ApprovalMethod, LoginSource } from "@svc/login/client";
import { useCallback, useState } from "react";
import { Login } from "../login/login-panel.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "../ui/button.tsx";
import { Modal } from "../ui/dialog.tsx";

export type ApprovalSources = Partial<Record<ApprovalMethod, LoginSource>>;

/** Shows the code on top of the current page. Escape and "Cancel" close the dialog without making the change. */
export function ApprovalDialog({
  ways,
  change,
  sources,
  domain,
  demoWallet,
  onAnswer,
}: {
  /** The most likely first. */
  ways: readonly ApprovalMethod[];
  change?: string;
  sources: ApprovalSources;
  domain: string;
  demoWallet: boolean;
  onAnswer: (approved: boolean) => void;
}) {
  const { approval, controls } = useTexts();
  const offered = ways.filter((method) => sources[method]);
  const [way, setWay] = useState<ApprovalMethod>(offered[0] ?? "public_key");
  const source = sources[way];
  const other = offered.find((method) => method !== way);
  const approve = useCallback(() => onAnswer(true), [onAnswer]);
  const cancel = () => onAnswer(false);
  return (
    <Modal
      title={approval.title}
      text={
        <>
          {change && <strong className="svc-change">{change}</strong>}
          {approval.text}
        </>
      }
      focusesTitle
      onCancel={cancel}
      className="svc-approval"
    >
      {source && (
        <Login
          key={way}
          action="approve"
          source={source}
          domain={domain}
          demoWallet={demoWallet}
          onAnswered={approve}
        />
      )}
      {other && (
        <Button size="small" variant="quiet" onClick={() => setWay(other)}>
          {other === "address" ? approval.withAddress : approval.withKey}
        </Button>
      )}
      {/* This button is last in the keyboard order, but is shown next to the title, where it is visible regardless of
          the code's height. */}
      <Button size="small" className="svc-corner" onClick={cancel}>
        {controls.cancel}
      </Button>
    </Modal>
  );
}
