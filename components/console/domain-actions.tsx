"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { DomainItem } from "#lib/hosted/contract/domain.ts";
import { TEST_INBOX_PATH } from "#lib/hosted/contract/tenant.ts";
import { Button } from "#packages/react/ui/button.tsx";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { ConfirmButton } from "#packages/react/ui/dialog.tsx";
import { Section } from "#packages/react/ui/elements.tsx";
import { TextField } from "#packages/react/ui/text-field.tsx";
import { FailureLine, onSubmit, SecretOnce, useConsoleAction, useMode } from "./console-action.tsx";

type Registered = { id: string; webhook_secret: string };

/** Registers a domain, shows its webhook secret once, and leads on to the domain's page. */
export function RegisterDomainForm() {
  const mode = useMode();
  const router = useRouter();
  const { pending, failure, run } = useConsoleAction();
  const [registered, setRegistered] = useState<Registered | null>(null);
  const [isStored, setIsStored] = useState(false);
  const submit = onSubmit((fields) => {
    const webhook_url = fields.get("webhook_url") || window.location.origin + TEST_INBOX_PATH;
    const domain = hostnameOf(String(fields.get("domain")));
    run<Registered>("POST", "/domains", { domain, webhook_url }, (answer) => {
      setRegistered(answer);
      router.refresh();
    });
  });
  if (registered && !isStored) {
    return (
      <SecretOnce
        title="Registered. This is its webhook secret"
        secret={registered.webhook_secret}
        onStored={() => {
          setIsStored(true);
          window.location.assign(`/console/${mode}/domains/${registered.id}`);
        }}
      >
        Your server uses it to check that an event comes from us. Copy it now, because it is not shown again.
        You can make a new one at any time.
      </SecretOnce>
    );
  }
  if (registered) {
    return <ButtonLink href={`/console/${mode}/domains/${registered.id}`}>Continue to the domain</ButtonLink>;
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
              : "The hostname that wallets will show."
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
              ? "We post an event to this URL when a user has signed in."
              : "We post an event to this URL when a user has signed in. Leave it empty to use your test inbox."
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

/** The hostname of a pasted URL; any other text as it is. */
function hostnameOf(text: string): string {
  if (!/^https?:/i.test(text.trim())) return text;
  try {
    return new URL(text).hostname;
  } catch {
    return text;
  }
}

/** Deletes a domain, after asking once. */
export function DeleteDomain({ domain: { id, domain } }: { domain: DomainItem }) {
  const mode = useMode();
  const { pending, failure, run } = useConsoleAction();
  const remove = () =>
    run("DELETE", `/domains/${id}`, undefined, () => window.location.assign(`/console/${mode}/domains`));
  return (
    <Section
      id="delete"
      title="Delete this domain"
      text={`This also deletes its sessions and events. Users can no longer sign in to ${domain} through us.`}
    >
      <ConfirmButton
        label="Delete domain"
        question={`Delete ${domain} for good?`}
        confirmLabel="Delete it"
        pending={pending}
        onConfirm={remove}
      />
      <FailureLine failure={failure} />
    </Section>
  );
}
