"use client";

import { useCallback, useEffect, useId, useRef, useState } from "react";
import { Login } from "#components/login/login.tsx";
import { Button } from "#components/ui/button.tsx";
import type { ApprovalWay } from "#lib/contracts/approval.ts";

const OTHER_WAY: Record<ApprovalWay, string> = {
  public_key: "Approve with a wallet’s key instead",
  address: "Approve with a Bitcoin address instead",
};

/**
 * The code that has a change approved, over the page that asks for it. Escape and "Cancel" leave everything as it was.
 */
export default function ApprovalDialog({
  ways,
  domain,
  demoWallet,
  onAnswer,
}: {
  /** What the user can approve with, the likeliest first. */
  ways: readonly ApprovalWay[];
  domain: string;
  demoWallet: boolean;
  onAnswer: (approved: boolean) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const [way, setWay] = useState<ApprovalWay>(ways[0] ?? "public_key");
  const other = ways.find((each) => each !== way);
  const approved = useCallback(() => onAnswer(true), [onAnswer]);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // From the top, and read aloud: the first button is below the code.
    title.current?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        onAnswer(false);
      }}
      className="m-auto w-[calc(100%-2rem)] max-w-sm rounded-base border bg-background p-4 text-foreground backdrop:bg-black/50 sm:p-6"
    >
      <h2 id={`${id}-title`} ref={title} tabIndex={-1} className="font-semibold outline-none">
        Approve this change
      </h2>
      <p id={`${id}-text`} className="mt-1 mb-4 text-muted-foreground text-sm">
        You signed in more than ten minutes ago. Show that it is you: approve with a wallet of yours.
      </p>
      <Login
        key={way}
        from={way === "address" ? "fast-approve" : "svc-approve"}
        domain={domain}
        demoWallet={demoWallet}
        onAnswered={approved}
      />
      <div className="mt-4 flex flex-wrap justify-between gap-3">
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
        {other && (
          <Button size="small" onClick={() => setWay(other)}>
            {OTHER_WAY[other]}
          </Button>
        )}
      </div>
    </dialog>
  );
}
