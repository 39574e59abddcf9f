import { Badge } from "#components/ui/badge.tsx";
import { classNames } from "#components/ui/class-names.ts";
import type { Timeline } from "#lib/hosted/contract/console.ts";
import type { DeliveryItem } from "#lib/hosted/contract/event.ts";
import { targetOf } from "./event-target.ts";

type SessionState = "pending" | "expired" | "authenticated";

const STATES = {
  pending: { name: "Waiting", tone: "warning" },
  expired: { name: "Code expired", tone: "neutral" },
  authenticated: { name: "Authenticated", tone: "success" },
} as const;

/** Where a login stands. */
export function SessionBadge({ state }: { state: SessionState }) {
  const { name, tone } = STATES[state];
  return <Badge tone={tone}>{name}</Badge>;
}

type TimelineItem = {
  key: string;
  /** ISO 8601. */
  at: string;
  /** What happened, in words. */
  what: string;
  detail: string | null;
  tone: "neutral" | "success" | "danger";
};

const TONES = {
  neutral: "bg-muted-foreground",
  success: "bg-success",
  danger: "bg-danger",
} as const;

/** What happened to a login and when: the time of day, and the milliseconds since it began. */
export function SessionTimeline({ items }: { items: TimelineItem[] }) {
  const start = Date.parse(items[0]?.at ?? "");
  return (
    <ol className="@container border-t">
      {items.map(({ key, at, what, detail, tone }) => (
        <li
          key={key}
          className="grid grid-cols-[0.75rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 border-b py-3 last:border-b-0 last:pb-0 @xl:grid-cols-[0.75rem_minmax(0,1fr)_auto_7rem]"
        >
          <span aria-hidden className={classNames("size-2 rounded-base", TONES[tone])} />
          <p>
            {what}
            {detail && <span className="wrap-anywhere block text-muted-foreground text-sm">{detail}</span>}
          </p>
          <div className="col-start-2 flex flex-wrap gap-x-4 text-muted-foreground @xl:contents">
            <ExactTime iso={at} />
            <span className="whitespace-nowrap font-mono text-sm tabular-nums @xl:text-right">
              +{(Date.parse(at) - start).toLocaleString("en-GB")} ms
            </span>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** A moment to the millisecond, UTC: for comparing with a server's log. */
function ExactTime({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} className="whitespace-nowrap font-mono text-sm tabular-nums" title={iso}>
      {iso.slice(11, 23)} UTC
    </time>
  );
}

/** Where a login stands for people: one that waits is told apart from one whose code has run out. */
export function sessionState(status: "pending" | "authenticated", expiresAt: Date, now: Date): SessionState {
  if (status === "authenticated") return status;
  return expiresAt <= now ? "expired" : "pending";
}

const REFUSALS: Record<string, string> = {
  challenge_expired: "The challenge was used before, or older than 30 seconds (408).",
  invalid_signature: "The signature is not the key holder’s over the challenge (406).",
  intent_mismatch: "The wallet showed its user another question than the code asks (406).",
};

/** What happened to a login, in order: its audit entries, and its event with every attempt. */
export function timelineOf(entries: Timeline["entries"], events: DeliveryItem[]): TimelineItem[] {
  const items = [...entries.flatMap(entryItem), ...events.flatMap(eventItems)];
  return items.toSorted((one, other) => one.at.localeCompare(other.at));
}

function entryItem({ id, at, kind, reason }: Parameters<typeof timelineOf>[0][number]): TimelineItem[] {
  const item = (what: string, tone: TimelineItem["tone"], detail: string | null = null) => [
    { key: `entry-${id}`, at, what, detail, tone },
  ];
  switch (kind) {
    case "issued":
      return item("Challenge issued", "neutral");
    case "refused":
      return item("A wallet’s answer was refused", "danger", REFUSALS[reason ?? ""] ?? reason);
    case "delivered":
      return item("A wallet’s answer was accepted: authenticated", "success");
    case "undone":
      return item("Taken back by the wallet’s user", "danger");
    default:
      return [];
  }
}

function eventItems({ id, created_at, url, attempts }: DeliveryItem): TimelineItem[] {
  return [
    {
      key: id,
      at: created_at,
      what: "Event recorded",
      detail: id,
      tone: "neutral",
    },
    ...attempts.map(({ at, status, error, latency_ms }, index): TimelineItem => {
      const good = error === null && status !== null && status >= 200 && status < 300;
      return {
        key: `${id}-${index}`,
        at,
        what: good ? "Event delivered" : "Event sent, not accepted",
        detail: `${status ?? "No answer"} in ${latency_ms} ms from ${targetOf(url)}${error ? `: ${error}` : ""}`,
        tone: good ? "success" : "danger",
      };
    }),
  ];
}
