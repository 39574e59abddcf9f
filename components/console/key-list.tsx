"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { Button } from "#packages/react/ui/button.tsx";
import { ConfirmButton } from "#packages/react/ui/dialog.tsx";
import { Badge } from "#packages/react/ui/elements.tsx";
import { TextField } from "#packages/react/ui/text-field.tsx";
import { LocalTime } from "#packages/react/ui/time.tsx";
import { FailureLine, onSubmit, SecretOnce, useConsoleAction, useMode } from "./console-action.tsx";
import { EmptyState } from "./console-page.tsx";

type KeyItem = {
  id: string;
  name: string;
  /** Its first characters. */
  prefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

/** The keys of a mode, revoked ones last. */
export function KeyList({ keys }: { keys: KeyItem[] }) {
  const mode = useMode();
  if (keys.length === 0) {
    return (
      <EmptyState title="No key yet">
        Your server sends a key with every request. Create the first one above; it begins{" "}
        <code className="font-mono">svc_{mode}_</code>.
      </EmptyState>
    );
  }
  return (
    <ul className="-mb-4 divide-y border-t">
      {keys.map((key) => (
        <li key={key.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="wrap-anywhere">{key.name}</span>
              {key.revokedAt && <Badge tone="danger">Revoked</Badge>}
            </p>
            <p className="text-muted-foreground text-sm *:inline-block">
              <code className="font-mono">{key.prefix}…,</code>{" "}
              <span>
                created <LocalTime iso={key.createdAt.toISOString()} />,
              </span>{" "}
              <span>
                {key.revokedAt ? (
                  <>
                    revoked <LocalTime iso={key.revokedAt.toISOString()} />
                  </>
                ) : key.lastUsedAt ? (
                  <>
                    last used <LocalTime iso={key.lastUsedAt.toISOString()} />
                  </>
                ) : (
                  "never used"
                )}
              </span>
            </p>
          </div>
          {!key.revokedAt && <RevokeKey id={key.id} name={key.name} />}
        </li>
      ))}
    </ul>
  );
}

/** Makes a key and shows it once. */
export function CreateKeyForm() {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const { pending, failure, run } = useConsoleAction();
  const [key, setKey] = useState<string | null>(null);
  const submit = onSubmit((fields) => {
    run<{ key: string }>("POST", "/keys", { name: fields.get("name") }, (answer) => {
      setKey(answer.key);
      form.current?.reset();
      router.refresh();
    });
  });
  return (
    <div className="grid gap-4">
      <form ref={form} onSubmit={submit} className="flex flex-wrap items-start gap-3">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={100}
          placeholder="Laptop"
          hint="Where you will use it, so that you know which one to revoke."
          error={failure?.fields.name ?? null}
          className="min-w-0 grow basis-60"
        />
        <Button type="submit" variant={key ? "secondary" : "primary"} disabled={pending} className="sm:mt-6">
          {pending ? "Creating…" : "Create key"}
        </Button>
      </form>
      <FailureLine failure={failure} />
      {key && (
        <SecretOnce title="Your new key" secret={key} onStored={() => setKey(null)}>
          Copy it now. We store only its hash and cannot show it again. It belongs on a server, never in a
          page or an app.
        </SecretOnce>
      )}
    </div>
  );
}

/** Revokes a key, after asking once. */
function RevokeKey({ id, name }: { id: string; name: string }) {
  const router = useRouter();
  const { pending, failure, run } = useConsoleAction();
  return (
    <div className="grid gap-2">
      <ConfirmButton
        label="Revoke"
        describe={`Revoke ${name}`}
        question="Everything that uses it stops working immediately."
        confirmLabel="Revoke key"
        pending={pending}
        onConfirm={() => run("DELETE", `/keys/${id}`, undefined, () => router.refresh())}
      />
      <FailureLine failure={failure} />
    </div>
  );
}
