"use client";

import { fingerprintWords } from "@svc/login/protocol";
import { useState, useTransition } from "react";
import { Button } from "../ui/button.tsx";
import { ButtonLink } from "../ui/button-look.tsx";
import { Problem } from "../ui/elements.tsx";
import { useWords } from "../words/words.tsx";

/** A key or an address to compare with what another screen shows: in large type, and a key in words too. */
export function KeyName({ name }: { name: string }) {
  const words = fingerprintWords(name);
  return (
    <p className="grid gap-1 rounded-base border bg-muted p-4 text-center">
      {words && <strong className="text-balance font-semibold text-title">{words.join(" ")}</strong>}
      <span className="wrap-anywhere font-mono">{name}</span>
    </p>
  );
}

/** Asks a person about what answered a code: a link declines it, a button accepts it. */
export function ConfirmChoice({
  declineHref,
  busy,
  confirm,
  children,
}: {
  declineHref: string;
  /** The button's words while the change is under way. */
  busy: string;
  /** Accepts it and leaves the page, or returns why that failed. */
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
