"use client";

import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { checkPhrase } from "#lib/wallet/seed.ts";
import { WalletError } from "#lib/wallet/wallet-error.ts";

/** Takes the words of another device and says which of them is wrong. */
export function RestoreForm({
  onRestore,
  onBack,
}: {
  onRestore: (phrase: string) => void;
  onBack: () => void;
}) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [mistake, setMistake] = useState<string | null>(null);
  useEffect(() => field.current?.focus(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      onRestore(checkPhrase(field.current?.value ?? ""));
    } catch (error) {
      if (!(error instanceof WalletError)) throw error;
      setMistake(error.message);
      field.current?.focus();
    }
  };

  return (
    <form onSubmit={submit}>
      <label htmlFor={id} className="font-semibold">
        Your words
      </label>
      <p className="text-muted-foreground text-sm">In their order, with spaces between them.</p>
      <textarea
        ref={field}
        id={id}
        rows={3}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={mistake !== null}
        aria-describedby={mistake ? `${id}-mistake` : undefined}
        className="mt-2 block w-full rounded-base border border-input bg-background px-3 py-2 font-mono"
      />
      {mistake && (
        <p id={`${id}-mistake`} role="alert" className="mt-2 text-danger text-sm">
          {mistake}
        </p>
      )}
      <div className="mt-4 grid gap-3 min-[25rem]:grid-cols-2">
        <Button type="submit" variant="primary">
          Restore
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </form>
  );
}
