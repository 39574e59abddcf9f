"use client";

import type { SignInMethod } from "@svc/login";
import { nameSignInMethod, removeSignInMethod } from "@svc/login/account";
import { fingerprintWords } from "@svc/login/protocol";
import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { useChange } from "#packages/react/approval/approval-provider.tsx";
import { Button } from "#packages/react/ui/button.tsx";
import { ButtonLink, classNames } from "#packages/react/ui/button-look.tsx";
import { CopyButton } from "#packages/react/ui/copy-button.tsx";
import { ConfirmButton } from "#packages/react/ui/dialog.tsx";
import { Badge, Problem, Section } from "#packages/react/ui/elements.tsx";
import {
  Bitcoin,
  Ellipsis,
  KeyRound,
  Plus,
  Printer,
  Smartphone,
  type SvgIcon,
  TimerOff,
} from "#packages/react/ui/icons.tsx";
import { TimeAgo } from "#packages/react/ui/time.tsx";

export type CredentialItem = Omit<SignInMethod, "platform" | "lastUsedIn"> & {
  /** Its wallet and device in words. */
  device: string;
  /** It signed this browser in. */
  current: boolean;
  /** A temporary wallet's key, which went with the page that made it. */
  isGone: boolean;
};

/**
 * The keys and addresses that the user signs in with. They can be named, and all but the last that works removed.
 * @param props.codes how many recovery codes work
 */
export function CredentialList({ credentials, codes }: { credentials: CredentialItem[]; codes: number }) {
  const working = credentials.filter(({ isGone }) => !isGone).length;
  return (
    <Section
      id="credentials"
      title="Sign-in methods"
      text="Wallets and addresses that open this account."
      actions={
        <div className="flex flex-wrap gap-3">
          <ButtonLink size="small" href="/dashboard/add?kind=wallet">
            <Plus aria-hidden className="size-4 shrink-0" />
            Add another wallet
          </ButtonLink>
          <ButtonLink size="small" href="/dashboard/add?kind=address">
            <Plus aria-hidden className="size-4 shrink-0" />
            Add an address
          </ButtonLink>
        </div>
      }
    >
      <ul className="grid gap-4 lg:grid-cols-2">
        {credentials.map((credential) => (
          <CredentialCard
            key={credential.id}
            credential={credential}
            last={credentials.length === 1 || (working === 1 && !credential.isGone)}
          />
        ))}
        <RecoveryCodesItem codes={codes} />
      </ul>
    </Section>
  );
}

function RecoveryCodesItem({ codes }: { codes: number }) {
  return (
    <li className="flex flex-col gap-3 rounded-base border p-4">
      <div className="flex items-start gap-3">
        <IconTile Icon={Printer} />
        <div>
          <p className="font-semibold">Recovery codes</p>
          <p className="text-muted-foreground text-sm">
            {codes === 0
              ? "None yet. Two codes on paper bring you back when every wallet is lost."
              : codes === 1
                ? "One code works. It brings you back when every wallet is lost."
                : `${codes} codes work. They bring you back when every wallet is lost.`}
          </p>
        </div>
      </div>
      <div className="mt-auto sm:border-t sm:pt-3">
        <ButtonLink size="small" href="/dashboard/recovery">
          {codes === 0 ? "Make recovery codes" : "Manage recovery codes"}
        </ButtonLink>
      </div>
    </li>
  );
}

function IconTile({ Icon, className }: { Icon: SvgIcon; className?: string }) {
  return (
    <span className="flex size-10 shrink-0 items-center justify-center rounded-base bg-muted">
      <Icon aria-hidden className={classNames("size-5", className)} />
    </span>
  );
}

function CredentialCard({ credential, last }: { credential: CredentialItem; last: boolean }) {
  const { kind, name, device, label, isGone } = credential;
  const Icon = isGone ? TimerOff : kind === "address" ? Bitcoin : Smartphone;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="flex flex-col gap-3 rounded-base border p-4">
      <div className="flex items-start gap-3">
        <IconTile Icon={Icon} className={isGone ? "text-muted-foreground" : undefined} />
        <CredentialNames {...credential} />
        <Button
          variant="quiet"
          size="small"
          className="-mt-2 -mr-2 min-h-11 min-w-11 shrink-0 sm:hidden"
          aria-expanded={isOpen}
          aria-label={`More about ${label ?? `${device}, ${name}`}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Ellipsis aria-hidden className="size-5" />
        </Button>
      </div>
      <div className={classNames("mt-auto grid gap-3", !isOpen && "max-sm:hidden")}>
        {kind === "address" ? (
          <CopyableName name={name} />
        ) : (
          <details className="text-sm">
            <summary className="flex min-h-9 w-fit cursor-pointer items-center gap-2 text-muted-foreground underline-offset-4 hover:underline">
              <KeyRound aria-hidden className="size-4 shrink-0" />
              Show the key’s fingerprint
            </summary>
            <CopyableName name={name} />
          </details>
        )}
        <CredentialActions
          id={credential.id}
          name={label ?? `${device}, ${name}`}
          label={label}
          last={last}
        />
      </div>
    </li>
  );
}

/** The user's name for it, the words of its key, and its last use. */
function CredentialNames(credential: CredentialItem) {
  const { kind, name, device, label, addedAt, lastUsedAt, current, isGone, isFromBeforeRecovery } =
    credential;
  return (
    <div className="min-w-0 grow">
      <p className="wrap-anywhere font-semibold">{label ?? device}</p>
      <p className="wrap-anywhere text-sm">{fingerprintWords(name)?.join(" ") ?? (label && device)}</p>
      <p className="text-muted-foreground text-sm">
        {label && kind !== "address" && (
          <span className="wrap-anywhere">
            {device}
            <br />
          </span>
        )}
        {lastUsedAt ? "Last used" : "Added"} <TimeAgo iso={lastUsedAt ?? addedAt} />
      </p>
      <p className="flex flex-wrap gap-2 not-empty:mt-2">
        {current && <Badge tone="success">Signed in here</Badge>}
        {isGone && <Badge tone="warning">No longer works</Badge>}
        {isFromBeforeRecovery && <Badge tone="warning">Before recovery</Badge>}
      </p>
    </div>
  );
}

function CopyableName({ name }: { name: string }) {
  return (
    <div className="flex items-center gap-3 text-sm">
      <span className="min-w-0 grow">
        <span className="wrap-anywhere block font-mono">{name}</span>
      </span>
      <CopyButton text={name} size="small" className="shrink-0">
        Copy
      </CopyButton>
    </div>
  );
}

const LABEL_LENGTH = 60;

/** Renames or removes a sign-in method. Asks before removing, because that cannot be undone. */
function CredentialActions({
  id,
  name,
  label,
  last,
}: {
  id: string;
  /** The credential's name in the names of the buttons. */
  name: string;
  label: string | null;
  /** It is the last that works, so it cannot be removed. */
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
    <div className="grid gap-2 border-t pt-3">
      {naming ? (
        <NameForm
          label={label}
          pending={pending}
          onSave={(entered) => change(() => nameSignInMethod(id, entered), onDone)}
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
              confirmLabel="Remove"
              pending={pending}
              problem={problem}
              onConfirm={() => change(() => removeSignInMethod(id), onDone, `Remove ${name}`)}
            />
          )}
        </div>
      )}
      <Problem>{naming && problem}</Problem>
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
  const [entered, setEntered] = useState(label ?? "");
  const field = useId();
  return (
    <form
      className="flex flex-wrap items-center gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(entered);
      }}
    >
      <label htmlFor={field} className="w-full font-semibold text-sm">
        Name
      </label>
      <input
        id={field}
        value={entered}
        maxLength={LABEL_LENGTH}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
        autoFocus
        onChange={(event) => setEntered(event.target.value)}
        onKeyDown={({ key }) => key === "Escape" && onCancel()}
        className="min-h-9 min-w-0 grow rounded-base border border-input bg-card px-3 text-sm"
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
