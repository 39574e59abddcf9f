"use client";

import { Download } from "lucide-react";
import { useChange } from "#components/approval/approval-provider.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ConfirmButton } from "#components/ui/confirm-button.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { deleteAccount } from "./account-requests.ts";

type AccountCardProps = {
  userId: number;
  /** A key's fingerprint, or an address. */
  credential: string;
  isAddress: boolean;
  /** The wallet's device as it told it, or null. */
  device: string | null;
  /** ISO 8601. */
  signedInAt: string;
};

/** Who is signed in here, with what, and since when. */
export function AccountCard({ userId, credential, isAddress, device, signedInAt }: AccountCardProps) {
  return (
    <Card aria-label="Account">
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-4">
        <Fact name="User">{userId}</Fact>
        <Fact name={isAddress ? "Address" : "Key fingerprint"}>
          <span className="wrap-anywhere font-mono text-sm">{credential}</span>
        </Fact>
        {!isAddress && <Fact name="Wallet’s device">{device ?? "Not reported"}</Fact>}
        <Fact name="Signed in">
          <LocalTime iso={signedInAt} />
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted-foreground text-sm">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

/**
 * What is kept about the user, to take along, and the account's end.
 * @param props.domains how many are registered at the hosted API: while there are any, the account stays
 */
export function LeaveCard({ apiKeys, domains }: { apiKeys: number; domains: number }) {
  return (
    <Card aria-labelledby="leave">
      <CardHeader title="Your data" id="leave">
        Everything that is kept about you, as a file, or gone for good.
      </CardHeader>
      <div className="flex flex-wrap items-start gap-3">
        <ButtonLink size="small" href="/api/account/export" download>
          <Download aria-hidden className="size-4 shrink-0" />
          Export as JSON
        </ButtonLink>
        {domains === 0 ? (
          <DeleteAccount apiKeys={apiKeys} />
        ) : (
          <p className="max-w-prose text-muted-foreground text-sm">
            You have {domains === 1 ? "a domain" : `${domains} domains`} registered at the hosted API. Delete{" "}
            {domains === 1 ? "it" : "them"} in the <TextLink href="/console">console</TextLink> before you
            delete your account, so that no site stops by surprise.
          </p>
        )}
      </div>
    </Card>
  );
}

function DeleteAccount({ apiKeys }: { apiKeys: number }) {
  const { pending, problem, change } = useChange();
  const keys = apiKeys === 0 ? "" : apiKeys === 1 ? ", your API key" : `, your ${apiKeys} API keys`;
  return (
    <ConfirmButton
      label="Delete your account"
      question={`Your ways in, browsers, codes${keys} and history are gone at once, for good.`}
      confirmLabel="Yes, delete my account"
      busy="Deleting…"
      pending={pending}
      problem={problem}
      onConfirm={() => change(deleteAccount, () => window.location.assign("/"))}
    />
  );
}
