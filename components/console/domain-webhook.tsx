"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { DomainDetail } from "#lib/hosted/contract/domain.ts";
import { Button } from "#packages/react/ui/button.tsx";
import { ConfirmButton } from "#packages/react/ui/dialog.tsx";
import { Notice } from "#packages/react/ui/elements.tsx";
import { TextField } from "#packages/react/ui/text-field.tsx";
import { ActionButton, FailureLine, onSubmit, SecretOnce, useConsoleAction } from "./console-action.tsx";
import { Task, type TaskState } from "./console-page.tsx";

type DomainWebhookProps = { domain: DomainDetail };

/** The target of a domain's events, their signature, a button to test it, and the latest events. */
export function DomainWebhook({
  domain,
  state,
  children,
}: DomainWebhookProps & { state: TaskState; children: React.ReactNode }) {
  return (
    <Task
      id="webhook"
      title="3. Receive events"
      state={state}
      text="We POST signed login events for this domain to this URL and retry for three days until your server answers 2xx."
    >
      {domain.disabled_at && (
        <Notice tone="warning" className="mb-4">
          This endpoint answered 410, so we stopped sending events to it. Save the URL again to continue.
        </Notice>
      )}
      <div className="grid gap-6">
        <UrlForm domain={domain} />
        <SendTest domain={domain} />
        <RotateSecret domain={domain} />
        {children}
      </div>
    </Task>
  );
}

function UrlForm({ domain: { id, webhook_url: webhookUrl, disabled_at } }: DomainWebhookProps) {
  const router = useRouter();
  const { pending, failure, run } = useConsoleAction();
  const [saved, setSaved] = useState(false);
  const submit = onSubmit((fields) => {
    setSaved(false);
    run("PATCH", `/domains/${id}`, { webhook_url: fields.get("webhook_url") }, () => {
      setSaved(true);
      router.refresh();
    });
  });
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-3">
      <TextField
        label="URL"
        name="webhook_url"
        type="url"
        required
        defaultValue={webhookUrl}
        error={failure?.fields.webhook_url ?? failure?.message ?? null}
        hint={saved ? "Saved. Pending events are sent there too." : undefined}
        className="min-w-0 grow basis-60"
      />
      <Button
        type="submit"
        variant={disabled_at ? "primary" : "secondary"}
        disabled={pending}
        className="sm:mt-6"
      >
        {pending ? "Saving…" : "Save URL"}
      </Button>
    </form>
  );
}

function SendTest({ domain: { id, verified, disabled_at } }: DomainWebhookProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t pt-4">
      <div className="min-w-0">
        <h3 className="font-semibold text-sm">Test event</h3>
        <p className="text-muted-foreground text-sm">
          {verified
            ? "Signed and retried as a real one; its kind is “test”."
            : "Signed as a real one; its kind is “test”. Until the domain is verified it is sent once, and ten times an hour at most."}
        </p>
      </div>
      <ActionButton
        path={`/domains/${id}/test-event`}
        label="Send test event"
        pendingLabel="Sending…"
        disabled={disabled_at !== null}
        size="small"
      />
    </div>
  );
}

function RotateSecret({ domain: { id } }: DomainWebhookProps) {
  const { pending, failure, run } = useConsoleAction();
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = () =>
    run<{ webhook_secret: string }>("POST", `/domains/${id}/rotate-secret`, undefined, (answer) =>
      setSecret(answer.webhook_secret),
    );
  return (
    <div className="grid gap-3 border-t pt-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h3 className="font-semibold text-sm">Secret</h3>
          <p className="text-muted-foreground text-sm">
            Proves to your server that an event comes from us. It is shown once, when you make it.
          </p>
          <FailureLine failure={failure} />
        </div>
        {secret === null && (
          <ConfirmButton
            label="Rotate secret"
            question="Your server needs the new one."
            confirmLabel="Make a new secret"
            pending={pending}
            onConfirm={rotate}
          />
        )}
      </div>
      {secret && (
        <SecretOnce title="The new webhook secret" secret={secret} onStored={() => setSecret(null)}>
          Copy it now: it is not shown again. For 24 hours webhook-signature also holds a signature by the
          previous one; x-svc-signature uses the new one from now on.
        </SecretOnce>
      )}
    </div>
  );
}
