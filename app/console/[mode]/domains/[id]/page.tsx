import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { ConsolePage, EmptyState } from "#components/console/console-page.tsx";
import {
  DomainDelegation,
  DomainProof,
  DomainWebhook,
  describeReceivingState,
} from "#components/console/domain-tasks.tsx";
import { ItemList } from "#components/console/item-list.tsx";
import { OperationForm } from "#components/console/operation-form.tsx";
import { requireConsoleTenant } from "#lib/console/console-tenant.ts";
import { DOMAIN_OPERATIONS, ProofFinding } from "#lib/hosted/contract/domain.ts";
import { describeFormFields } from "#lib/hosted/contract/reference.ts";
import { findDomain, toDomainDetail } from "#lib/hosted/domains/manage-domains.ts";
import { listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { env } from "#lib/platform/env.ts";
import { now } from "#packages/login/process/state.ts";
import { Badge, Section, TextLink } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Domain" };

const DELIVERIES_SHOWN = 5;
const LastCheck = z.object({ at: z.string(), findings: z.array(ProofFinding) });

export default async function DomainPage({ params }: PageProps<"/console/[mode]/domains/[id]">) {
  const { mode: modeName, id } = await params;
  const tenant = await requireConsoleTenant(modeName, `/domains/${id}`);
  // Reads the events before the domain: if one of these events was answered with 410, the domain is then already shown
  // as disabled.
  const events = await listDeliveries(tenant, { limit: DELIVERIES_SHOWN, domain_id: id });
  const row = await findDomain(tenant, id);
  if (!row) notFound();
  const { mode } = tenant;
  const domain = toDomainDetail(row);
  const { webhook_url } = domain;
  const receiving = describeReceivingState(domain, events.deliveries[0]);
  const tasks = [domain.verified, domain.delegation.status === "ok", receiving.tone === "success"];
  const finishedCount = tasks.filter(Boolean).length;
  return (
    <ConsolePage
      mode={mode}
      section="/domains"
      title={
        <>
          {domain.domain}
          <Badge tone={finishedCount === tasks.length ? "success" : "warning"}>
            {finishedCount === tasks.length ? "Ready" : `${finishedCount} of ${tasks.length} done`}
          </Badge>
        </>
      }
      lead={<span className="wrap-anywhere font-mono text-sm">{id}</span>}
    >
      <DomainProof domain={domain} check={LastCheck.nullable().catch(null).parse(row.lastCheck)} />
      <DomainDelegation domain={domain} apiHost={env().DOMAIN} />
      <DomainWebhook
        domain={domain}
        fields={describeFormFields(DOMAIN_OPERATIONS.updateDomain, { webhook_url })}
        state={receiving}
      >
        <section aria-labelledby="deliveries" className="border-t pt-4">
          <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
            <h3 id="deliveries" className="font-semibold text-sm">
              Latest events
            </h3>
            {events.deliveries.length > 0 && (
              <TextLink href={`/console/${mode}/events?domain_id=${id}`} className="text-sm">
                All events for this domain
              </TextLink>
            )}
          </div>
          <ItemList
            name="events"
            path={`/deliveries?${new URLSearchParams({ domain_id: id, limit: String(DELIVERIES_SHOWN) })}`}
            answer={events}
            at={now().toISOString()}
            empty={
              <EmptyState title="No event yet">
                Send a test event above, and see here how your server responds.
              </EmptyState>
            }
          />
        </section>
      </DomainWebhook>
      <Section
        id="delete"
        title="Delete this domain"
        text={`This also deletes its sessions and events. Users will no longer be able to sign in to ${domain.domain} through us.`}
      >
        <OperationForm route="DELETE /domains/:id" of={id} describe={`Delete domain ${domain.domain}`} />
      </Section>
    </ConsolePage>
  );
}
