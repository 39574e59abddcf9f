import { Badge } from "#components/ui/badge.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { CredentialActions } from "./credential-actions.tsx";

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
