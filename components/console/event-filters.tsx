import { DELIVERY_STATUSES, type DeliveryItem } from "#lib/hosted/contract/delivery-log.ts";

const NAMES: Record<DeliveryItem["status"], string> = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
};

/** Links that narrow the list of events to a status. */
export function EventFilters({
  path,
  narrowed,
  status,
}: {
  path: string;
  /** What the list is narrowed by already. */
  narrowed: Record<string, string>;
  status: DeliveryItem["status"] | null;
}) {
  return (
    <nav aria-label="Status" className="-mx-2 flex flex-wrap">
      {[null, ...DELIVERY_STATUSES].map((name) => (
        <a
          key={name ?? "all"}
          href={`${path}?${new URLSearchParams({ ...narrowed, ...(name && { status: name }) })}`}
          aria-current={name === status ? "true" : undefined}
          className="flex min-h-9 items-center rounded-base px-2 text-muted-foreground text-sm underline-offset-4 hover:underline aria-[current]:font-semibold aria-[current]:text-foreground"
        >
          {name ? NAMES[name] : "All"}
        </a>
      ))}
    </nav>
  );
}
