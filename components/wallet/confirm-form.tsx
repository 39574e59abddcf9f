"use client";

import { Fingerprint, LockOpen } from "lucide-react";
import { type FormEvent, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import type { Confirmation, LockKind } from "./lock.ts";
import { PassphraseField } from "./passphrase-field.tsx";

/**
 * The act that opens the wallet: a button that makes the device ask its user, or the passphrase and a button.
 * `other` stands beside the button and is as large.
 */
export function ConfirmForm({
  lock,
  label,
  onConfirm,
  disabled = false,
  other,
  quiet = false,
  children,
}: {
  lock: LockKind;
  label: string;
  onConfirm: (confirmation: Confirmation) => void;
  disabled?: boolean;
  other?: React.ReactNode;
  /** Not the screen's one primary action. */
  quiet?: boolean;
  /** Fields above, without which nothing is confirmed. */
  children?: React.ReactNode;
}) {
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const passphrase = field.current?.value;
    if (field.current) field.current.value = "";
    onConfirm({ passphrase });
  };
  const Icon = lock === "biometric" ? Fingerprint : LockOpen;
  return (
    <form onSubmit={submit} className="grid gap-4">
      {children}
      {lock === "passphrase" && (
        <PassphraseField ref={field} label="Passphrase of this wallet" autoComplete="current-password" />
      )}
      <div className={other ? "grid grid-cols-2 gap-3" : "grid"}>
        {other}
        <Button type="submit" variant={quiet ? "secondary" : "primary"} disabled={disabled}>
          <Icon aria-hidden className="size-4 shrink-0" />
          {label}
        </Button>
      </div>
    </form>
  );
}
