import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { ConsolePage, EmptyState, receivingState } from "#components/console/console-page.tsx";
import { DeleteDomain } from "#components/console/domain-actions.tsx";
import { DomainDelegation, DomainProof } from "#components/console/domain-setup.tsx";
import { DomainWebhook } from "#components/console/domain-webhook.tsx";
import { EventList } from "#components/console/events.tsx";
import { requireConsole } from "#lib/console/console-tenant.ts";
import { Finding } from "#lib/hosted/contract/domain.ts";
import { domainDetail, findDomain } from "#lib/hosted/domains/manage-domains.ts";
import { listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { env } from "#lib/platform/env.ts";
import { Badge, TextLink } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Domain" };

const DELIVERIES_SHOWN = 5;
const LastCheck = z.object({ at: z.string(), findings: z.array(Finding) });

/** A domain as three tasks: prove it, let wallets in, receive events. */
export default async function DomainPage({ params }: PageProps<"/console/[mode]/domains/[id]">) {
  const { mode: modeName, id } = await params;
  const tenant = await requireConsole(modeName, `/domains/${id}`);
  // Read the events first: a 410 in them has disabled the endpoint, and the domain, read later, shows that too.
  const { deliveries } = await listDeliveries(tenant, { limit: DELIVERIES_SHOWN, domain_id: id });
  const row = await findDomain(tenant, id);
  if (!row) notFound();
  const { mode } = tenant;
  const domain = domainDetail(row);
  const receiving = receivingState(domain, deliveries[0]);
  const tasks = [domain.verified, domain.delegation.status === "ok", receiving.tone === "success"];
  const done = tasks.filter(Boolean).length;
  return (
    <ConsolePage
      mode={mode}
      section="/domains"
      title={
        <>
          {domain.domain}
          <Badge tone={done === tasks.length ? "success" : "warning"}>
            {done === tasks.length ? "Ready" : `${done} of ${tasks.length} done`}
          </Badge>
        </>
      }
      lead={<span className="wrap-anywhere font-mono text-sm">{id}</span>}
    >
      <DomainProof domain={domain} check={LastCheck.nullable().catch(null).parse(row.lastCheck)} />
      <DomainDelegation domain={domain} apiHost={env().DOMAIN} />
      <DomainWebhook domain={domain} state={receiving}>
        <section aria-labelledby="deliveries" className="border-t pt-4">
          <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
            <h3 id="deliveries" className="font-semibold text-sm">
              Latest events
            </h3>
            {deliveries.length > 0 && (
              <TextLink href={`/console/${mode}/events?domain_id=${id}`} className="text-sm">
                All events of this domain
              </TextLink>
            )}
          </div>
          <EventList
            query={{ domain_id: id, limit: String(DELIVERIES_SHOWN) }}
            deliveries={deliveries}
            empty={
              <EmptyState title="No event yet">
                Send a test event above, and see here what your server answered.
              </EmptyState>
            }
          />
        </section>
      </DomainWebhook>
      <DeleteDomain domain={domain} />
    </ConsolePage>
  );
}
