"use client";

import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { useChange } from "#components/approval/approval-provider.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ConfirmButton } from "#components/ui/confirm-button.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { nameCredential, removeCredential } from "./account-requests.ts";

export type CredentialItem = {
  id: string;
  kind: "public_key" | "address";
  /** A key's fingerprint, or an address. */
  name: string;
  /** What its user calls it, or null. */
  label: string | null;
  /** ISO 8601. */
  addedAt: string;
  /** The account had it already when it was recovered. */
  beforeRecovery: boolean;
};

/**
 * What the user signs in with: wallets' keys and addresses, to be named and removed, but for the last.
 * @param props.codes how many recovery codes work
 */
export function CredentialList({ credentials, codes }: { credentials: CredentialItem[]; codes: number }) {
  return (
    <Card aria-labelledby="credentials">
      <CardHeader
        title="Ways to sign in"
        id="credentials"
        actions={
          <div className="flex flex-wrap gap-3">
            <ButtonLink size="small" href="/dashboard/add?kind=wallet">
              Add another wallet
            </ButtonLink>
            <ButtonLink size="small" href="/dashboard/add?kind=address">
              Add an address
            </ButtonLink>
            <ButtonLink size="small" href="/dashboard/recovery">
              Recovery codes
            </ButtonLink>
          </div>
        }
      >
        <WaysIn ways={credentials.length} codes={codes} />
      </CardHeader>
      <ul className="-mb-4 divide-y border-t">
        {credentials.map((credential) => (
          <li
            key={credential.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4"
          >
            <div className="min-w-0">
              {credential.beforeRecovery && <Badge tone="warning">Before recovery</Badge>}
              {credential.label && <p className="wrap-anywhere">{credential.label}</p>}
              <p className="wrap-anywhere font-mono text-sm">{credential.name}</p>
              <p className="text-muted-foreground text-sm">
                {credential.kind === "address" ? "Bitcoin address" : "Wallet key"}, added{" "}
                <LocalTime iso={credential.addedAt} />
              </p>
            </div>
            <CredentialActions
              id={credential.id}
              name={credential.label ?? credential.name}
              label={credential.label}
              last={credentials.length === 1}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** How the account would survive the loss of a device; it stays a warning while it would not. */
function WaysIn({ ways, codes }: { ways: number; codes: number }) {
  const count = `${ways} ${ways === 1 ? "way" : "ways"} in, ${codes === 0 ? "no" : codes} recovery ${codes === 1 ? "code" : "codes"}.`;
  if (ways > 1 || codes > 0) return count;
  return (
    <>
      <span className="font-semibold text-warning">{count}</span> If it is lost, so is the account: add
      another, or make recovery codes.
    </>
  );
}

const LABEL_LENGTH = 60;

/** Renames a way to sign in, or removes it after a question, since that cannot be taken back. */
function CredentialActions({
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
  const [naming, setNaming] = useState(false);
  const { pending, problem, change, forgetProblem } = useChange();
  const onDone = () => {
    setNaming(false);
    router.refresh();
  };
  const cancel = () => {
    setNaming(false);
    forgetProblem();
  };
  return (
    <div className="grid justify-items-end gap-2">
      {naming ? (
        <NameForm
          label={label}
          pending={pending}
          onSave={(typed) => change(() => nameCredential(id, typed), onDone)}
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
              onConfirm={() => change(() => removeCredential(id), onDone)}
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
