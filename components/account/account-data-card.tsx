"use client";

import { announceSignOut, requestChange } from "@svc/login/client";
import { useChange } from "#packages/react/approval/approval-provider.tsx";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { ConfirmButton } from "#packages/react/ui/dialog.tsx";
import { Section, TextLink } from "#packages/react/ui/elements.tsx";
import { Download } from "#packages/react/ui/icons.tsx";

/** @param props.domains domains at the hosted API; unless it is 0, the account cannot be deleted */
export function AccountDataCard({ apiKeys, domains }: { apiKeys: number; domains: number }) {
  return (
    <Section id="leave" title="Your data" text="Download or delete your data.">
      <div className="flex flex-wrap items-start gap-3">
        <ButtonLink size="small" href="/api/account/export">
          <Download aria-hidden className="size-4 shrink-0" />
          Export as JSON
        </ButtonLink>
        {domains === 0 ? (
          <DeleteAccount apiKeys={apiKeys} />
        ) : (
          <p className="max-w-prose text-muted-foreground text-sm">
            You have {domains === 1 ? "a domain" : `${domains} domains`} registered with the hosted API.
            Delete {domains === 1 ? "it" : "them"} in the <TextLink href="/console">console</TextLink> before
            you delete your account, so that no site stops working unexpectedly.
          </p>
        )}
      </div>
    </Section>
  );
}

function DeleteAccount({ apiKeys }: { apiKeys: number }) {
  const { pending, problem, change } = useChange();
  const keys = apiKeys === 0 ? "" : apiKeys === 1 ? ", your API key" : `, your ${apiKeys} API keys`;
  return (
    <ConfirmButton
      label="Delete your account"
      question={`This permanently deletes your sign-in methods, recovery codes${keys} and history. You can’t undo this.`}
      confirmLabel="Delete my account"
      busy="Deleting…"
      pending={pending}
      problem={problem}
      onConfirm={() =>
        change(
          () => requestChange("/api/account", "DELETE"),
          () => {
            announceSignOut();
            window.location.assign("/");
          },
          "Delete your account",
        )
      }
    />
  );
}
