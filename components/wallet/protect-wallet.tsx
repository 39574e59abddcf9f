"use client";

import { MIN_PASSPHRASE_CHARACTERS } from "@svc/wallet/sealed-seed";
import { WalletError } from "@svc/wallet/wallet-error";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button, FocusedHeading } from "#packages/react/ui/button.tsx";
import { Notice } from "#packages/react/ui/elements.tsx";
import { Fingerprint, LockOpen } from "#packages/react/ui/icons.tsx";
import { TextField } from "#packages/react/ui/text-field.tsx";
import {
  BiometricError,
  type Confirmation,
  hasBiometric,
  type Lock,
  type LockKind,
  lockByBiometric,
  lockByPassphrase,
} from "./lock.ts";
import { WalletExistsError } from "./vault.ts";

/** With the device's biometrics or, if there are none, with a passphrase. */
export function ProtectWallet({
  onLock,
  children,
}: {
  /** Rejects if the wallet cannot be sealed. */
  onLock: (lock: Lock) => Promise<void>;
  children?: React.ReactNode;
}) {
  const [biometric, setBiometric] = useState<boolean | null>(null);
  const [typing, setTyping] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => void hasBiometric().then(setBiometric), []);

  const lockWith = async (makeLock: () => Promise<Lock>) => {
    setBusy(true);
    setProblem(null);
    try {
      await onLock(await makeLock());
    } catch (error) {
      if (error instanceof BiometricError && error.reason === "unsupported") setTyping(true);
      setProblem(problemOf(error));
      setBusy(false);
    }
  };

  return (
    <>
      <FocusedHeading>Lock this wallet</FocusedHeading>
      <p className="text-muted-foreground text-sm">
        {children} You will need to unlock it for every sign-in. While it is locked, nobody can use it.
      </p>
      {problem && (
        <Notice tone="warning" role="alert" className="mt-4">
          {problem}
        </Notice>
      )}
      {biometric && !typing && (
        <div className="mt-4 grid gap-3">
          <Button variant="primary" disabled={busy} onClick={() => lockWith(lockByBiometric)}>
            <Fingerprint aria-hidden className="size-4 shrink-0" />
            {busy ? "Waiting for you…" : "Use fingerprint, face or device PIN"}
          </Button>
          <Button disabled={busy} onClick={() => setTyping(true)}>
            Use a passphrase
          </Button>
        </div>
      )}
      {(typing || biometric === false) && (
        <NewPassphraseForm
          busy={busy}
          onProblem={setProblem}
          onChosen={(passphrase) => lockWith(() => lockByPassphrase(passphrase))}
        />
      )}
    </>
  );
}

/** Only the input field stores the passphrase. */
const PASSPHRASE = { type: "password", required: true, autoComplete: "current-password" } as const;
const NEW_PASSPHRASE = { ...PASSPHRASE, autoComplete: "new-password" } as const;

function NewPassphraseForm({
  busy,
  onChosen,
  onProblem,
}: {
  busy: boolean;
  onChosen: (passphrase: string) => void;
  onProblem: (problem: string) => void;
}) {
  const [passphraseField, confirmationField] = [
    useRef<HTMLInputElement>(null),
    useRef<HTMLInputElement>(null),
  ];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const passphrase = passphraseField.current?.value ?? "";
    if (passphrase === confirmationField.current?.value) return onChosen(passphrase);
    onProblem("The passphrases do not match. Enter them again.");
    passphraseField.current?.focus();
  };
  return (
    <form onSubmit={submit} className="mt-4 grid gap-3">
      <TextField
        ref={passphraseField}
        {...NEW_PASSPHRASE}
        label="New passphrase"
        hint={`At least ${MIN_PASSPHRASE_CHARACTERS} characters, such as four unrelated words. The passphrase cannot be reset. If you forget it, you can restore the wallet only with its twelve words.`}
      />
      <TextField ref={confirmationField} {...NEW_PASSPHRASE} label="Confirm passphrase" />
      <Button type="submit" variant="primary" disabled={busy}>
        {busy ? "Locking…" : "Lock the wallet"}
      </Button>
    </form>
  );
}

function problemOf(error: unknown): string {
  if (error instanceof BiometricError && error.reason === "refused")
    return "Not confirmed. The wallet is not saved yet. Try again.";
  if (error instanceof WalletError || error instanceof BiometricError || error instanceof WalletExistsError) {
    return error.message;
  }
  return "This browser did not save the wallet. Leave private browsing or free up some space, then try again.";
}

/** `other` is shown next to the button and is equally large. */
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
  /** True if the button is not the screen's primary action. */
  quiet?: boolean;
  /** Required fields above the button. */
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
      {lock === "passphrase" && <TextField ref={field} {...PASSPHRASE} label="Passphrase for this wallet" />}
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
