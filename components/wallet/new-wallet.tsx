"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { makePhrase } from "#lib/wallet/seed.ts";
import { RestoreForm } from "./restore-form.tsx";
import { keepWallet, WalletExistsError } from "./vault.ts";

type Step = { name: "choose" } | { name: "phrase"; phrase: string } | { name: "restore" };

/** The first visit: make a wallet, its phrase shown once for backup, or restore one from a phrase. */
export function NewWallet({ onKept }: { onKept: () => void }) {
  const [step, setStep] = useState<Step>({ name: "choose" });
  const [failure, setFailure] = useState<string | null>(null);

  const keep = async (phrase: string) => {
    try {
      await keepWallet(phrase);
      onKept();
    } catch (error) {
      setFailure(
        error instanceof WalletExistsError
          ? error.message
          : "This browser did not keep the wallet. Leave private browsing or free some space, then try again.",
      );
    }
  };

  const back = () => setStep({ name: "choose" });
  return (
    <Card>
      {step.name === "choose" && (
        <Choose
          onMake={() => setStep({ name: "phrase", phrase: makePhrase() })}
          onRestore={() => setStep({ name: "restore" })}
        />
      )}
      {step.name === "phrase" && (
        <Backup phrase={step.phrase} onDone={() => keep(step.phrase)} onBack={back} />
      )}
      {step.name === "restore" && <RestoreForm onRestore={keep} onBack={back} />}
      {failure && (
        <Notice tone="danger" role="alert" className="mt-4">
          {failure}
        </Notice>
      )}
    </Card>
  );
}

function Choose({ onMake, onRestore }: { onMake: () => void; onRestore: () => void }) {
  return (
    <>
      <CardHeader title="Make a wallet">
        You get twelve words, shown once. Whoever has them has your accounts, so look around before you go on.
      </CardHeader>
      <div className="grid gap-3 min-[25rem]:grid-cols-2">
        <Button variant="primary" onClick={onMake}>
          Show my words
        </Button>
        <Button onClick={onRestore}>Restore from words</Button>
      </div>
    </>
  );
}

function Backup({ phrase, onDone, onBack }: { phrase: string; onDone: () => void; onBack: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        Write these words down
      </h2>
      <p className="text-muted-foreground text-sm">
        In this order, on paper. They bring back your accounts on any device, and are not shown again.
      </p>
      <ol className="my-4 grid grid-cols-2 gap-2 min-[30rem]:grid-cols-3" aria-label="Your words">
        {phrase.split(" ").map((word, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a phrase can hold a word twice, and never changes.
          <li key={place} className="flex gap-2 rounded-base border px-3 py-2">
            <span aria-hidden className="w-5 shrink-0 text-right text-muted-foreground tabular-nums">
              {place + 1}
            </span>
            <span className="font-mono">{word}</span>
          </li>
        ))}
      </ol>
      <div className="grid gap-3 min-[25rem]:grid-cols-2">
        <Button variant="primary" onClick={onDone}>
          I wrote them down
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </>
  );
}
