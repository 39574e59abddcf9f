"use client";

import { type FormEvent, useId, useRef } from "react";
import { Button } from "#components/ui/button.tsx";

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
    <details className="mt-4 border-t pt-2">
      <summary className="flex min-h-11 cursor-pointer items-center rounded-base text-sm underline underline-offset-4">
        Paste a code as text
      </summary>
      <form onSubmit={submit}>
        <label htmlFor={id} className="font-semibold">
          The code’s text
        </label>
        <p id={`${id}-hint`} className="text-muted-foreground text-sm">
          “Copy link” on the login page copies it.
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
        <Button type="submit" className="mt-3 w-full min-[25rem]:w-auto">
          Read code
        </Button>
      </form>
    </details>
  );
}
