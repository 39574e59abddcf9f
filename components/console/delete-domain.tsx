"use client";

import { Card, CardHeader } from "#components/ui/card.tsx";
import { ConfirmButton } from "#components/ui/confirm-button.tsx";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { FailureLine } from "./failure-line.tsx";
import { useConsoleAction } from "./use-console-action.ts";

/** Deletes a domain, after asking once. */
export function DeleteDomain({ mode, id, domain }: { mode: ApiMode; id: string; domain: string }) {
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
