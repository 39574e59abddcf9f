import type { Metadata } from "next";
import { ConsolePage, EmptyState, FindById } from "#components/console/console-page.tsx";
import { EventDetail } from "#components/console/events.tsx";
import { nullIfNotFound, requireConsoleTenant } from "#lib/console/console-tenant.ts";
import { getDelivery } from "#lib/hosted/events/manage-deliveries.ts";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { Section } from "#packages/react/ui/elements.tsx";
import { renderScreen } from "../../screen.tsx";

export const metadata: Metadata = { title: "Events" };

/** A search by id shows a single event. */
export default async function EventsPage(props: PageProps<"/console/[mode]/events">) {
  const { id } = await props.searchParams;
  if (typeof id !== "string") return renderScreen("events", props);
  const tenant = await requireConsoleTenant((await props.params).mode, "/events");
  const { mode } = tenant;
  const event = await nullIfNotFound(getDelivery(tenant, id));
  return (
    <ConsolePage
      mode={mode}
      section="/events"
      title="Event"
      lead={<span className="wrap-anywhere font-mono text-sm">{id}</span>}
    >
      <Section id="event" title={event ? event.event : "No such event"} actions={<FindById mode={mode} />}>
        {event ? (
          <EventDetail delivery={event} />
        ) : (
          <EmptyState
            title="No event has this id"
            action={<ButtonLink href={`/console/${mode}/events`}>Show all events</ButtonLink>}
          >
            Events are kept for 30 days. {mode === "live" ? "Test" : "Live"} events are shown only in{" "}
            {mode === "live" ? "test" : "live"} mode.
          </EmptyState>
        )}
      </Section>
    </ConsolePage>
  );
}
