import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { ConsolePage, EmptyState } from "#components/console/console-page.tsx";
import { DeliveryList } from "#components/console/delivery-list.tsx";
import { DeleteDomain } from "#components/console/domain-actions.tsx";
import { DomainDelegation } from "#components/console/domain-delegation.tsx";
import { DomainProof, VerifiedBadge } from "#components/console/domain-proof.tsx";
import { DomainWebhook } from "#components/console/domain-webhook.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { requireConsole } from "#lib/console/console-tenant.ts";
import { Finding } from "#lib/hosted/contract/domain.ts";
import { delegationOf, findDomain } from "#lib/hosted/domains/manage-domains.ts";
import { listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { env } from "#lib/platform/env.ts";

export const metadata: Metadata = { title: "Domain" };

const DELIVERIES_SHOWN = 5;
const LastCheck = z.object({ at: z.string(), findings: z.array(Finding) });

/** A domain: its proof, its delegation, its webhook, its latest events. */
export default async function DomainPage({ params }: PageProps<"/console/[mode]/domains/[id]">) {
  const { mode: modeName, id } = await params;
  const tenant = await requireConsole(modeName, `/domains/${id}`);
  // The events first: one that ended with a 410 is never shown beside a domain that does not know it yet.
  const { deliveries } = await listDeliveries(tenant, { limit: DELIVERIES_SHOWN, domain_id: id });
  const row = await findDomain(tenant, id);
  if (!row) notFound();
  const { mode } = tenant;
  return (
    <ConsolePage
      mode={mode}
      section="/domains"
      title={
        <>
          {row.domain} <VerifiedBadge verified={row.verifiedAt !== null} />
        </>
      }
      lead={
        <>
          {row.verifiedAt && (
            <>
              Verified <LocalTime iso={row.verifiedAt.toISOString()} />.{" "}
            </>
          )}
          <span className="wrap-anywhere font-mono text-sm">{row.id}</span>
        </>
      }
    >
      {row.verifiedAt === null && (
        <DomainProof
          mode={mode}
          id={id}
          domain={row.domain}
          token={row.verificationToken}
          check={LastCheck.nullable().catch(null).parse(row.lastCheck)}
        />
      )}
      <DomainDelegation
        mode={mode}
        id={id}
        domain={row.domain}
        verified={row.verifiedAt !== null}
        apiHost={env().DOMAIN}
        delegation={delegationOf(row)}
      />
      <DomainWebhook
        mode={mode}
        id={id}
        webhookUrl={row.webhookUrl}
        verified={row.verifiedAt !== null}
        disabled={row.disabledAt !== null}
      />
      <Card aria-labelledby="deliveries">
        <CardHeader
          title="Latest events"
          id="deliveries"
          actions={
            deliveries.length > 0 && (
              <TextLink href={`/console/${mode}/events?domain_id=${id}`} className="text-sm">
                All events of this domain
              </TextLink>
            )
          }
        />
        {deliveries.length > 0 ? (
          <DeliveryList mode={mode} deliveries={deliveries} />
        ) : (
          <EmptyState title="No event yet">
            Send a test event above, and see here what your server answered.
          </EmptyState>
        )}
      </Card>
      <DeleteDomain mode={mode} id={id} domain={row.domain} />
    </ConsolePage>
  );
}
