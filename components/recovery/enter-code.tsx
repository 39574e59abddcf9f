"use client";

import {
  type ChangeResult,
  checkCode,
  minutesToWait,
  openRecovery,
  RECOVERY_PATH,
  readCode,
} from "@svc/login/recovery";
import { type FormEvent, useState, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextField } from "#components/ui/text-field.tsx";

const TYPING_ERROR =
  "There is a typing error: a code has 25 characters, without the letter U. Compare it with your sheet. No try was used.";

/** Where somebody who has lost their wallet begins: with a code. */
export function EnterCode() {
  return (
    <CodeForm
      action="Continue"
      busy="Checking…"
      ask={openRecovery}
      onDone={() => window.location.assign(RECOVERY_PATH)}
    />
  );
}

/** A drill: tells whether a code works, and leaves it as it is. */
export function TryCode() {
  const [works, setWorks] = useState(false);
  return (
    <div className="grid gap-4">
      <CodeForm action="Try it" busy="Trying…" ask={checkCode} onDone={() => setWorks(true)} />
      <div role="status" className="empty:absolute">
        {works && (
          <Notice tone="success">This code works. It was not used up: put it back where it was.</Notice>
        )}
      </div>
    </div>
  );
}

/** A field for one recovery code. What cannot be a code is told here, so that it uses up no try. */
function CodeForm({
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
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, start] = useTransition();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = String(new FormData(form).get("code"));
    const refuse = (message: string) => {
      setProblem(message);
      form.querySelector("input")?.focus();
    };
    if (readCode(typed) === null) return refuse(TYPING_ERROR);
    start(async () => {
      const result = await ask(typed);
      if (result.done) onDone();
      else refuse(result.status === 429 ? tooMany(minutesToWait(result)) : result.message);
    });
  };
  return (
    <form className="grid gap-4" noValidate onSubmit={submit}>
      <TextField
        label="Recovery code"
        hint="Upper or lower case, with or without hyphens."
        error={problem}
        name="code"
        maxLength={100}
        autoCapitalize="characters"
        className="[&_input]:font-mono"
        onChange={() => setProblem(null)}
      />
      <Button type="submit" variant="primary" disabled={pending} className="justify-self-start">
        {pending ? busy : action}
      </Button>
    </form>
  );
}

function tooMany(minutes: number): string {
  return `Too many tries. For safety a code can be tried five times an hour. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}
