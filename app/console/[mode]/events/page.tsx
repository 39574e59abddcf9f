import type { Metadata } from "next";
import {
  ConsolePage,
  EmptyState,
  EVENT_STATUSES,
  FindById,
  Pager,
  TestLoginLink,
} from "#components/console/console-page.tsx";
import { EventDetail, EventList } from "#components/console/events.tsx";
import { requireConsole } from "#lib/console/console-tenant.ts";
import { DELIVERY_STATUSES, type DeliveryItem } from "#lib/hosted/contract/event.ts";
import { readPage } from "#lib/hosted/contract/page.ts";
import type { Tenant } from "#lib/hosted/contract/tenant.ts";
import { getDelivery, listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { Refusal } from "#packages/login/protocol/errors.ts";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { Section } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Events" };

/** The outgoing events of a mode, narrowed by status, domain or session. */
export default async function EventsPage({ params, searchParams }: PageProps<"/console/[mode]/events">) {
  const tenant = await requireConsole((await params).mode, "/events");
  const search = await searchParams;
  if (typeof search.id === "string") return <OneEvent tenant={tenant} id={search.id} />;
  const { page, cursor } = readPage(search);
  const status = DELIVERY_STATUSES.find((name) => name === search.status);
  const domain_id = typeof search.domain_id === "string" ? search.domain_id : undefined;
  const session_id = typeof search.session_id === "string" ? search.session_id : undefined;
  const filter = { ...page, status, domain_id, session_id };
  const { deliveries, next_cursor } = await listDeliveries(tenant, filter);
  const { mode } = tenant;
  const path = `/console/${mode}/events`;
  const narrowed = { ...(domain_id && { domain_id }), ...(session_id && { session_id }) };
  const query = { ...narrowed, ...(status && { status }) };
  return (
    <ConsolePage
      mode={mode}
      section="/events"
      title="Events"
      lead="What we sent to your servers: each request, what they answered, and how long it took."
    >
      <Section
        id="events"
        title={domain_id ? "Of one domain" : session_id ? "Of one session" : "All events"}
        actions={<FindById mode={mode} />}
      >
        <EventFilters path={path} narrowed={narrowed} status={status ?? null} />
        <EventList
          query={{ ...query, ...(cursor !== null && { cursor }) }}
          deliveries={deliveries}
          empty={
            Object.keys(query).length > 0 || cursor ? (
              <EmptyState title="No such event" action={<ButtonLink href={path}>Show all events</ButtonLink>}>
                No event matches these filters.
              </EmptyState>
            ) : (
              <EmptyState
                title="No event yet"
                action={
                  mode === "test" ? (
                    <TestLoginLink variant="primary" />
                  ) : (
                    <ButtonLink href={`/console/${mode}/domains`}>Go to your domains</ButtonLink>
                  )
                }
              >
                An event is sent when a wallet has signed in to a session of yours. Its domain’s page sends a
                test event.
              </EmptyState>
            )
          }
        />
        <Pager path={path} query={query} cursor={cursor} next={next_cursor} />
      </Section>
    </ConsolePage>
  );
}

/** The event that a search by its id has found. */
async function OneEvent({ tenant, id }: { tenant: Tenant; id: string }) {
  const path = `/console/${tenant.mode}/events`;
  const event = await getDelivery(tenant, id).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "not_found") return null;
    throw error;
  });
  return (
    <ConsolePage
      mode={tenant.mode}
      section="/events"
      title="Event"
      lead={<span className="wrap-anywhere font-mono text-sm">{id}</span>}
    >
      <Section
        id="event"
        title={event ? event.event : "No such event"}
        actions={<FindById mode={tenant.mode} />}
      >
        {event ? (
          <EventDetail delivery={event} />
        ) : (
          <EmptyState
            title="Nothing has this id"
            action={<ButtonLink href={path}>Show all events</ButtonLink>}
          >
            Events are kept for 30 days. A live event is found in live mode only.
          </EmptyState>
        )}
      </Section>
    </ConsolePage>
  );
}

/** Links that narrow the list of events to a status. */
function EventFilters({
  path,
  narrowed,
  status,
}: {
  path: string;
  /** The filters that apply already. */
  narrowed: Record<string, string>;
  status: DeliveryItem["status"] | null;
}) {
  return (
    <nav aria-label="Status" className="-mx-2 mb-2 flex flex-wrap">
      {[null, ...DELIVERY_STATUSES].map((name) => (
        <a
          key={name ?? "all"}
          href={`${path}?${new URLSearchParams({ ...narrowed, ...(name && { status: name }) })}`}
          aria-current={name === status ? "true" : undefined}
          className="flex min-h-9 items-center rounded-base px-2 text-muted-foreground text-sm underline-offset-4 hover:underline aria-[current]:font-semibold aria-[current]:text-foreground"
        >
          {name ? EVENT_STATUSES[name].name : "All"}
        </a>
      ))}
    </nav>
  );
}
