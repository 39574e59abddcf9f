"use client";

import type { ChangeResult } from "@svc/login/client";
import { checkCode, minutesToWait, openRecovery, RECOVERY_PATH, readCode } from "@svc/login/recovery";
import { type FormEvent, useState, useTransition } from "react";
import { useRefusal } from "../approval/approval-provider.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/elements.tsx";
import { TextField } from "../ui/text-field.tsx";

export function EnterCode() {
  const { codes } = useTexts();
  return (
    <CodeForm
      action={codes.continue}
      busyLabel={codes.checking}
      ask={openRecovery}
      onDone={() => window.location.assign(RECOVERY_PATH)}
    />
  );
}

/** Checking a code does not use it up. */
export function CheckCode() {
  const { codes } = useTexts();
  const [works, setWorks] = useState(false);
  return (
    <div className="svc-stack">
      <CodeForm action={codes.tryIt} busyLabel={codes.trying} ask={checkCode} onDone={() => setWorks(true)} />
      <div role="status" className="svc-live">
        {works && <Notice tone="success">{codes.works}</Notice>}
      </div>
    </div>
  );
}

/** Refuses text that cannot be a recovery code, so that a typing error does not use up an attempt. */
function CodeForm({
  action,
  busyLabel,
  ask,
  onDone,
}: {
  /** Replaced by `busyLabel` while the request is running. */
  action: string;
  busyLabel: string;
  ask: (code: string) => Promise<ChangeResult>;
  onDone: () => void;
}) {
  const { codes } = useTexts();
  const refusal = useRefusal();
  const [problem, setProblem] = useState<React.ReactNode>(null);
  const [pending, start] = useTransition();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const code = String(new FormData(form).get("code"));
    const refuse = (message: React.ReactNode) => {
      setProblem(message);
      form.querySelector("input")?.focus();
    };
    if (readCode(code) === null) return refuse(codes.mistyped);
    start(async () => {
      const result = await ask(code);
      if (result.done) onDone();
      else if (result.status === 429) refuse(codes.tooMany(minutesToWait(result)));
      else refuse(refusal(result));
    });
  };
  return (
    <form className="svc-stack" noValidate onSubmit={submit}>
      <TextField
        label={codes.label}
        hint={codes.hint}
        error={problem}
        name="code"
        maxLength={100}
        autoCapitalize="characters"
        className="svc-typed-code"
        onChange={() => setProblem(null)}
      />
      <Button type="submit" variant="primary" disabled={pending} className="svc-start">
        {pending ? busyLabel : action}
      </Button>
    </form>
  );
}
