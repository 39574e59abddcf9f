"use client";

import { useState, useTransition } from "react";
import { useWords } from "#components/words/words.tsx";
import { Button } from "./button.tsx";
import { ButtonLink } from "./button-link.tsx";
import { Problem } from "./notice.tsx";

/** A person's word on what answered a code: a link that declines, and a button that takes it. */
export function ConfirmChoice({
  declineHref,
  busy,
  confirm,
  children,
}: {
  declineHref: string;
  /** The button's words while it is waited for. */
  busy: string;
  /** Does it and leaves the page; tells why it did not. */
  confirm: () => Promise<React.ReactNode>;
  children: React.ReactNode;
}) {
  const { controls } = useWords();
  const [pending, start] = useTransition();
  const [problem, setProblem] = useState<React.ReactNode>(null);
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-2 gap-3">
        <ButtonLink href={declineHref}>{controls.notMine}</ButtonLink>
        <Button
          variant="primary"
          disabled={pending}
          onClick={() => start(async () => setProblem(await confirm()))}
        >
          {pending ? busy : children}
        </Button>
      </div>
      <Problem>{problem}</Problem>
    </div>
  );
}
