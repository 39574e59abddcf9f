"use client";

import { generateRecoveryPhrase, parseRecoveryPhrase } from "@svc/wallet/seed";
import { WalletError } from "@svc/wallet/wallet-error";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button, FocusedHeading } from "#packages/react/ui/button.tsx";
import { Card, Notice, Section } from "#packages/react/ui/elements.tsx";
import { TextArea } from "#packages/react/ui/text-field.tsx";
import { ProtectWallet } from "./protect-wallet.tsx";
import { useAutoLock } from "./use-wallet.ts";
import { saveWallet } from "./vault.ts";

type Step =
  /** `expired`: the seed phrase was on the screen while the page was idle. */
  | { name: "choose"; expired?: boolean }
  | { name: "phrase"; phrase: string }
  | { name: "restore" }
  | { name: "protect"; phrase: string };

export function NewWallet({ onCreated }: { onCreated: () => void }) {
  const [step, setStep] = useState<Step>({ name: "choose" });
  const back = () => setStep({ name: "choose" });
  // The wallet is not stored yet, so a seed phrase that stays on the screen for too long is discarded.
  useAutoLock(step.name !== "choose", () => setStep({ name: "choose", expired: step.name === "phrase" }));
  if (step.name === "choose") {
    return (
      <Section
        title="Create a wallet"
        text="You will get twelve words, which are shown only once. Anyone who has them can sign in to your accounts. Make sure that other people cannot see your screen."
      >
        {step.expired && (
          <Notice tone="warning" role="alert" className="mb-4">
            Your words were hidden because this page was idle. Cross out what you wrote down. The next words
            will be different.
          </Notice>
        )}
        <div className="grid gap-3 min-[25rem]:grid-cols-2">
          <Button
            variant="primary"
            onClick={() => setStep({ name: "phrase", phrase: generateRecoveryPhrase() })}
          >
            Show my words
          </Button>
          <Button onClick={() => setStep({ name: "restore" })}>Restore from words</Button>
        </div>
      </Section>
    );
  }
  return (
    <Card>
      {step.name === "phrase" && (
        <Backup
          phrase={step.phrase}
          onDone={() => setStep({ name: "protect", phrase: step.phrase })}
          onBack={back}
        />
      )}
      {step.name === "restore" && (
        <RestoreForm onRestore={(phrase) => setStep({ name: "protect", phrase })} onBack={back} />
      )}
      {step.name === "protect" && (
        <ProtectWallet
          onLock={async (lock) => {
            await saveWallet(step.phrase, lock);
            setStep({ name: "choose" });
            onCreated();
          }}
        >
          Choose how to unlock the wallet: with your fingerprint, face or device PIN, or with a passphrase.
        </ProtectWallet>
      )}
    </Card>
  );
}

function Backup({ phrase, onDone, onBack }: { phrase: string; onDone: () => void; onBack: () => void }) {
  return (
    <>
      <FocusedHeading>Write these words down</FocusedHeading>
      <p className="text-muted-foreground text-sm">
        In this order, on paper. They restore your accounts on any device. They will not be shown again, and
        this wallet does not keep them. This page hides them after two minutes of inactivity.
      </p>
      <ol className="my-4 grid grid-cols-2 gap-2 min-[30rem]:grid-cols-3" aria-label="Your words">
        {phrase.split(" ").map((word, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a phrase can contain a word twice, and never changes.
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

function RestoreForm({ onRestore, onBack }: { onRestore: (phrase: string) => void; onBack: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [mistake, setMistake] = useState<string | null>(null);
  useEffect(() => field.current?.focus(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      onRestore(parseRecoveryPhrase(field.current?.value ?? ""));
    } catch (error) {
      if (!(error instanceof WalletError)) throw error;
      setMistake(error.message);
      field.current?.focus();
    }
  };

  return (
    <form onSubmit={submit}>
      <TextArea ref={field} label="Your words" hint="In order, with spaces between them." error={mistake} />
      <div className="mt-4 grid gap-3 min-[25rem]:grid-cols-2">
        <Button type="submit" variant="primary">
          Restore
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </form>
  );
}
