import { Badge } from "#components/ui/badge.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { DomainItem } from "#lib/hosted/contract/domain.ts";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { EmptyState } from "./console-list.tsx";

/** The domains of a mode, each a link to its page. */
export function DomainList({ mode, domains }: { mode: ApiMode; domains: DomainItem[] }) {
  if (domains.length === 0) {
    return (
      <EmptyState title="No domain yet">
        Users sign in to a domain: it is what their wallet shows and makes their key for. Register yours above
        {mode === "live"
          ? "; then a TXT record proves that it is yours"
          : ", or localhost, which needs no proof"}
        .
      </EmptyState>
    );
  }
  return (
    <ul className="-mb-4 divide-y border-t">
      {domains.map(({ id, domain, verified, webhook_url }) => (
        <li key={id} className="py-4">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <TextLink href={`/console/${mode}/domains/${id}`} className="wrap-anywhere">
              {domain}
            </TextLink>
            <VerifiedBadge verified={verified} />
          </p>
          <p className="wrap-anywhere text-muted-foreground text-sm">Events go to {webhook_url}</p>
        </li>
      ))}
    </ul>
  );
}

/** Whether a domain was proved. */
export function VerifiedBadge({ verified }: { verified: boolean }) {
  return verified ? <Badge tone="success">Verified</Badge> : <Badge tone="warning">Not verified</Badge>;
}
