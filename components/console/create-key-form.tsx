"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { readText } from "#lib/login/client/fetch-json.ts";
import { FailureLine } from "./failure-line.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { useConsoleAction } from "./use-console-action.ts";

/** Makes a key and shows it once. */
export function CreateKeyForm({ mode }: { mode: ApiMode }) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const { pending, failure, run } = useConsoleAction(mode);
  const [key, setKey] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get("name");
    run("POST", "/keys", { name }, (answer) => {
      setKey(readText(answer, "key"));
      form.current?.reset();
      router.refresh();
    });
  };
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
      <FailureLine failure={failure && Object.keys(failure.fields).length === 0 ? failure : null} />
      {key && (
        <SecretOnce title="Your new key" secret={key} onKept={() => setKey(null)}>
          Copy it now: we keep only its hash and cannot show it again. It belongs on a server, never in a page
          or an app.
        </SecretOnce>
      )}
    </div>
  );
}
