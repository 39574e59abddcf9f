import type { Metadata } from "next";
import {
  ConsolePage,
  EmptyState,
  EVENT_STATUSES,
  Pager,
  TestLoginLink,
} from "#components/console/console-page.tsx";
import { EventList } from "#components/console/events.tsx";
import { requireConsole } from "#lib/console/console-tenant.ts";
import { DELIVERY_STATUSES, type DeliveryItem } from "#lib/hosted/contract/event.ts";
import { readPage } from "#lib/hosted/contract/page.ts";
import { listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { Section } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Events" };

/** The outgoing events of a mode, narrowed by status, domain or session. */
export default async function EventsPage({ params, searchParams }: PageProps<"/console/[mode]/events">) {
  const tenant = await requireConsole((await params).mode, "/events");
  const search = await searchParams;
  const { page, cursor } = readPage(search);
  const status = DELIVERY_STATUSES.find((name) => name === search.status);
  const domain_id = typeof search.domain_id === "string" ? search.domain_id : undefined;
  const session_id = typeof search.session_id === "string" ? search.session_id : undefined;
  const asked = { ...page, status, domain_id, session_id };
  const { deliveries, next_cursor } = await listDeliveries(tenant, asked);
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
        actions={<EventFilters path={path} narrowed={narrowed} status={status ?? null} />}
      >
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
    <nav aria-label="Status" className="-mx-2 -my-1.5 flex flex-wrap">
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
