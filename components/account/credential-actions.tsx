"use client";

import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { useApproval } from "#components/approval/use-approval.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmButton } from "#components/ui/confirm-button.tsx";
import type { ChangeResult } from "#lib/approval/request-change.ts";
import { nameCredential, removeCredential } from "./change-credential.ts";

const LABEL_LENGTH = 60;

/** Renames a way to sign in, or removes it after a question, since that cannot be taken back. */
export function CredentialActions({
  id,
  name,
  label,
  last,
}: {
  id: string;
  /** How it is called in the buttons' names. */
  name: string;
  label: string | null;
  /** The last one stays. */
  last: boolean;
}) {
  const router = useRouter();
  const ask = useApproval();
  const [naming, setNaming] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, start] = useTransition();
  const run = (change: () => Promise<ChangeResult>) =>
    start(async () => {
      setProblem(null);
      const result = await ask(change);
      setProblem(result.done ? null : result.message);
      if (!result.done) return;
      setNaming(false);
      router.refresh();
    });
  const cancel = () => {
    setNaming(false);
    setProblem(null);
  };
  return (
    <div className="grid justify-items-end gap-2">
      {naming ? (
        <NameForm
          label={label}
          pending={pending}
          onSave={(typed) => run(() => nameCredential(id, typed))}
          onCancel={cancel}
        />
      ) : (
        <div className="flex flex-wrap gap-3">
          <Button size="small" onClick={() => setNaming(true)} aria-label={`Rename ${name}`}>
            Rename
          </Button>
          {!last && (
            <ConfirmButton
              label="Remove"
              describe={`Remove ${name}`}
              question="It will no longer sign you in."
              confirmLabel="Yes, remove"
              pending={pending}
              problem={problem}
              onConfirm={() => run(() => removeCredential(id))}
            />
          )}
        </div>
      )}
      <p role="status" className="text-danger text-sm empty:absolute">
        {naming && problem}
      </p>
    </div>
  );
}

function NameForm({
  label,
  pending,
  onSave,
  onCancel,
}: {
  label: string | null;
  pending: boolean;
  onSave: (label: string) => void;
  onCancel: () => void;
}) {
  const [typed, setTyped] = useState(label ?? "");
  const field = useId();
  return (
    <form
      className="flex flex-wrap items-center gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(typed);
      }}
    >
      <label htmlFor={field} className="text-sm">
        Name
      </label>
      <input
        id={field}
        value={typed}
        maxLength={LABEL_LENGTH}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
        autoFocus
        onChange={(event) => setTyped(event.target.value)}
        className="min-h-9 rounded-base border border-input bg-card px-3 text-sm"
      />
      <Button type="submit" size="small" disabled={pending}>
        Save
      </Button>
      <Button size="small" disabled={pending} onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}
