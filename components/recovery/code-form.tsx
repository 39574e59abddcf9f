"use client";

import { useRef, useState, useTransition } from "react";
import type { ChangeResult } from "#components/account/request-change.ts";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { readCode } from "#lib/recovery/code.ts";

const TYPING_ERROR =
  "There is a typing error: a code has 25 characters, without the letter U. Compare it with your sheet. No try was used.";

/** A field for one recovery code. What cannot be a code is told here, so that it uses up no try. */
export function CodeForm({
  action,
  busy,
  ask,
  onDone,
}: {
  /** The button's words, and those while it is waited for. */
  action: string;
  busy: string;
  ask: (code: string) => Promise<ChangeResult>;
  onDone: () => void;
}) {
  const field = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, start] = useTransition();
  const submit = () => {
    const refuse = (message: string) => {
      setProblem(message);
      field.current?.querySelector("input")?.focus();
    };
    if (readCode(typed) === null) return refuse(TYPING_ERROR);
    start(async () => {
      const result = await ask(typed);
      if (result.done) onDone();
      else refuse(result.status === 429 ? tooMany(result.message) : result.message);
    });
  };
  return (
    <form
      ref={field}
      className="grid gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label="Recovery code"
        hint="Upper or lower case, with or without hyphens."
        error={problem}
        aria-live="polite"
        name="code"
        value={typed}
        maxLength={100}
        autoCapitalize="characters"
        className="[&_input]:font-mono"
        onChange={(event) => {
          setTyped(event.target.value);
          setProblem(null);
        }}
      />
      <Button type="submit" variant="primary" disabled={pending} className="justify-self-start">
        {pending ? busy : action}
      </Button>
    </form>
  );
}

/** The server names seconds; an hour is told in minutes. */
function tooMany(message: string): string {
  const seconds = Number(/\d+/.exec(message)?.[0] ?? 0);
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return `Too many tries. For safety a code can be tried five times an hour. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}
