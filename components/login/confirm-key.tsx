"use client";

import { fingerprintWords } from "@svc/login/protocol";
import { useState, useTransition } from "react";
import { useWords } from "#components/words/words.tsx";
import { Button } from "../ui/button.tsx";
import { ButtonLink, Problem } from "../ui/elements.tsx";

/** A key or an address that is to be compared with what another screen shows: large, and a key in words too. */
export function KeyName({ name }: { name: string }) {
  const words = fingerprintWords(name);
  return (
    <p className="grid gap-1 rounded-base border bg-muted p-4 text-center">
      {words && <strong className="text-balance font-semibold text-title">{words.join(" ")}</strong>}
      <span className="wrap-anywhere font-mono">{name}</span>
    </p>
  );
}

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
