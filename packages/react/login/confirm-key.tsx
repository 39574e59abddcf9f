"use client";

import { fingerprintWords } from "@svc/login/protocol";
import { useState, useTransition } from "react";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "../ui/button.tsx";
import { ButtonLink } from "../ui/button-look.tsx";
import { Problem } from "../ui/elements.tsx";

/** A key is also shown as words. */
export function KeyName({ name }: { name: string }) {
  const words = fingerprintWords(name);
  return (
    <p className="svc-key">
      {words && <strong className="svc-title">{words.join(" ")}</strong>}
      <span className="svc-mono">{name}</span>
    </p>
  );
}

/** The key's name is only for screen readers: sighted users already see it on the page. */
export function KeyConfirmationLabel({ children }: { children: React.ReactNode }) {
  const { controls } = useTexts();
  return (
    <>
      {controls.confirm}
      <span className="svc-sr-only">: {children}</span>
    </>
  );
}

export function KeyConfirmation({
  declineHref,
  busyLabel,
  confirm,
  children,
}: {
  declineHref: string;
  busyLabel: string;
  /** Opens the next page, or returns the reason why the key could not be accepted. */
  confirm: () => Promise<React.ReactNode>;
  children: React.ReactNode;
}) {
  const { controls } = useTexts();
  const [pending, start] = useTransition();
  const [problem, setProblem] = useState<React.ReactNode>(null);
  return (
    <div className="svc-stack">
      <div className="svc-pair">
        <ButtonLink href={declineHref}>{controls.notMine}</ButtonLink>
        <Button
          variant="primary"
          disabled={pending}
          onClick={() => start(async () => setProblem(await confirm()))}
        >
          {pending ? busyLabel : <KeyConfirmationLabel>{children}</KeyConfirmationLabel>}
        </Button>
      </div>
      <Problem>{problem}</Problem>
    </div>
  );
}
