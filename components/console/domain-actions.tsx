"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ConfirmButton } from "#components/ui/confirm-button.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import type { DomainItem } from "#lib/hosted/contract/domain.ts";
import { type ApiMode, TEST_INBOX_PATH } from "#lib/hosted/contract/tenant.ts";
import { readText } from "#lib/login/client/fetch-json.ts";
import { FailureLine, SecretOnce, useConsoleAction } from "./console-action.tsx";

/** Registers a domain, shows its webhook secret once, and leads on to the domain's page. */
export function RegisterDomainForm({ mode }: { mode: ApiMode }) {
  const router = useRouter();
  const { pending, failure, run } = useConsoleAction(mode);
  const [registered, setRegistered] = useState<{ id: string; secret: string } | null>(null);
  const [kept, setKept] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const webhook_url = form.get("webhook_url") || window.location.origin + TEST_INBOX_PATH;
    const body = { domain: form.get("domain"), webhook_url };
    run("POST", "/domains", body, (answer) => {
      setRegistered({ id: readText(answer, "id") ?? "", secret: readText(answer, "webhook_secret") ?? "" });
      router.refresh();
    });
  };
  if (registered && !kept) {
    return (
      <SecretOnce
        title="Registered. This is its webhook secret"
        secret={registered.secret}
        onKept={() => {
          setKept(true);
          window.location.assign(`/console/${mode}/domains/${registered.id}`);
        }}
      >
        Your server checks with it that an event comes from us. Copy it now: it is not shown again. A new one
        can be made at any time.
      </SecretOnce>
    );
  }
  if (registered) {
    return <ButtonLink href={`/console/${mode}/domains/${registered.id}`}>Go on to the domain</ButtonLink>;
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label="Domain"
          name="domain"
          required
          autoCapitalize="none"
          placeholder={mode === "test" ? "localhost" : "login.example.com"}
          hint={
            mode === "test"
              ? "localhost and names under .test need no verification. Other names do, as in live mode."
              : "The hostname that wallets will name: no scheme, port or path."
          }
          error={failure?.fields.domain ?? null}
        />
        <TextField
          label="Webhook URL"
          name="webhook_url"
          type="url"
          required={mode === "live"}
          placeholder="https://login.example.com/webhook/events"
          hint={
            mode === "live"
              ? "Where we post an event when somebody has signed in."
              : "Where we post an event when somebody has signed in. Leave it empty to use your test inbox."
          }
          error={failure?.fields.webhook_url ?? null}
        />
      </div>
      <FailureLine failure={failure} />
      <div>
        <Button type="submit" variant="primary" disabled={pending}>
          {pending ? "Registering…" : "Register domain"}
        </Button>
      </div>
    </form>
  );
}

/** Deletes a domain, after asking once. */
export function DeleteDomain({ mode, domain: { id, domain } }: { mode: ApiMode; domain: DomainItem }) {
  const { pending, failure, run } = useConsoleAction(mode);
  const remove = () =>
    run("DELETE", `/domains/${id}`, undefined, () => window.location.assign(`/console/${mode}/domains`));
  return (
    <Card aria-labelledby="delete">
      <CardHeader title="Delete this domain" id="delete">
        Its sessions and events go with it. Users can no longer sign in to {domain} through us.
      </CardHeader>
      <ConfirmButton
        label="Delete domain"
        question={`Delete ${domain} for good?`}
        confirmLabel="Delete it"
        pending={pending}
        onConfirm={remove}
      />
      <FailureLine failure={failure} />
    </Card>
  );
}
