import type { Metadata } from "next";
import { ConsolePage, EmptyState, Pager, targetOf } from "#components/console/console-page.tsx";
import { RegisterDomainForm } from "#components/console/domain-actions.tsx";
import { VerifiedBadge } from "#components/console/domain-setup.tsx";
import { requireConsole } from "#lib/console/console-tenant.ts";
import type { DomainItem } from "#lib/hosted/contract/domain.ts";
import { readPage } from "#lib/hosted/contract/page.ts";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { listDomains } from "#lib/hosted/domains/manage-domains.ts";
import { Section, TextLink } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Domains" };

/** The domains of a mode. */
export default async function DomainsPage({ params, searchParams }: PageProps<"/console/[mode]/domains">) {
  const tenant = await requireConsole((await params).mode, "/domains");
  const { page, cursor } = readPage(await searchParams);
  const { domains, next_cursor } = await listDomains(tenant, page);
  const { mode } = tenant;
  return (
    <ConsolePage
      mode={mode}
      section="/domains"
      title="Domains"
      lead="Your users sign in to these. Each has its own webhook and its own secret."
    >
      <Section id="new-domain" title="Register a domain">
        <RegisterDomainForm />
      </Section>
      <Section id="domains" title="Your domains">
        <DomainList mode={mode} domains={domains} />
        <Pager path={`/console/${mode}/domains`} cursor={cursor} next={next_cursor} />
      </Section>
    </ConsolePage>
  );
}

/** The domains of a mode, each a link to its page. */
function DomainList({ mode, domains }: { mode: ApiMode; domains: DomainItem[] }) {
  if (domains.length === 0) {
    return (
      <EmptyState title="No domain yet">
        Users sign in to a domain. Their wallet shows it and makes a key for it. Register yours above
        {mode === "live"
          ? "; then a TXT record shows that it is yours"
          : ", or localhost, which needs no verification"}
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
          <p className="wrap-anywhere text-muted-foreground text-sm">Events go to {targetOf(webhook_url)}</p>
        </li>
      ))}
    </ul>
  );
}
