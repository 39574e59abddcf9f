import type { Metadata } from "next";
import { Pager } from "#components/console/console-list.tsx";
import { ConsolePage } from "#components/console/console-page.tsx";
import { RegisterDomainForm } from "#components/console/domain-actions.tsx";
import { DomainList } from "#components/console/domain-list.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { requireConsole } from "#lib/console/require-console.ts";
import { listDomains } from "#lib/hosted/domains/manage-domains.ts";
import { readPage } from "../read-page.ts";

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
      lead="What your users sign in to. Each has its own webhook and its own secret."
    >
      <Card aria-labelledby="new-domain">
        <CardHeader title="Register a domain" id="new-domain" />
        <RegisterDomainForm mode={mode} />
      </Card>
      <Card aria-labelledby="domains">
        <CardHeader title="Your domains" id="domains" />
        <DomainList mode={mode} domains={domains} />
        <Pager path={`/console/${mode}/domains`} cursor={cursor} next={next_cursor} />
      </Card>
    </ConsolePage>
  );
}
