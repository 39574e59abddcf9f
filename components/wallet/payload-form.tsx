"use client";

import { type FormEvent, useId, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";

/** Takes the text of a code by paste. */
export function PayloadForm({ onOpen }: { onOpen: (text: string) => void }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!field.current) return;
    onOpen(field.current.value);
    field.current.value = "";
  };

  return (
    <Card>
      <form onSubmit={submit}>
        <label htmlFor={id} className="font-semibold">
          Paste a login code
        </label>
        <p id={`${id}-hint`} className="text-muted-foreground text-sm">
          “Copy link” on the login page copies it. “Try with the demo wallet” there opens it here by itself.
        </p>
        <textarea
          ref={field}
          id={id}
          rows={3}
          required
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="svc://auth?webhook=…"
          aria-describedby={`${id}-hint`}
          className="mt-2 block w-full rounded-base border border-input bg-background px-3 py-2 font-mono text-sm"
        />
        <Button type="submit" variant="primary" className="mt-4 w-full min-[25rem]:w-auto">
          Read code
        </Button>
      </form>
    </Card>
  );
}
