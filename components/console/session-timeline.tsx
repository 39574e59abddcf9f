import type { LoginTimeline } from "#lib/hosted/contract/console.ts";
import type { DeliveryItem } from "#lib/hosted/contract/event.ts";
import type { ListedSession } from "#lib/hosted/contract/session.ts";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { describeTarget } from "./console-page.tsx";

export const isDelivered = ({ status, error }: DeliveryItem["attempts"][number]) =>
  error === null && status !== null && status >= 200 && status < 300;

type TimelineItem = {
  key: string;
  at: string;
  what: string;
  detail: string | null;
  tone: "neutral" | "success" | "danger";
};

const TONES = {
  neutral: "bg-muted-foreground",
  success: "bg-success",
  danger: "bg-danger",
} as const;

export function SessionTimeline({ items }: { items: TimelineItem[] }) {
  const start = Date.parse(items[0]?.at ?? "");
  return (
    <ol className="@container border-t">
      {items.map(({ key, at, what, detail, tone }) => (
        <li
          key={key}
          className="grid grid-cols-[0.75rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 border-b py-3 last:border-b-0 last:pb-0 @xl:grid-cols-[0.75rem_minmax(0,1fr)_auto_7rem]"
        >
          <span aria-hidden className={joinClassNames("size-2 rounded-base", TONES[tone])} />
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

/** UTC, to the millisecond, for comparison with a server's log. */
function ExactTime({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} className="whitespace-nowrap font-mono text-sm tabular-nums" title={iso}>
      {iso.slice(11, 23)} UTC
    </time>
  );
}

/** Distinguishes pending logins whose QR code has expired from other pending logins. */
export function sessionState(
  { status, expires_at }: Pick<ListedSession, "status" | "expires_at">,
  now: number,
) {
  return status === "pending" && Date.parse(expires_at) <= now ? "expired" : status;
}

const REFUSALS: Record<string, string> = {
  challenge_expired: "The challenge had already been used, or was older than 30 seconds (408).",
  invalid_signature: "The key holder did not sign this challenge (406).",
  intent_mismatch: "The wallet showed a request that differs from the one in the code (406).",
};

/** In order: audit entries, the webhook event, and every attempt to send the event. */
export function buildTimeline(entries: LoginTimeline["entries"], events: DeliveryItem[]): TimelineItem[] {
  const items = [...entries.flatMap(entryItem), ...events.flatMap(eventItems)];
  return items.sort((one, other) => one.at.localeCompare(other.at));
}

const ENTRIES: Record<string, Pick<TimelineItem, "what" | "tone">> = {
  issued: { what: "Challenge issued", tone: "neutral" },
  refused: { what: "A wallet’s answer was refused", tone: "danger" },
  delivered: { what: "A wallet’s answer was accepted, and the login is authenticated", tone: "success" },
  undone: { what: "Undone by the wallet’s user", tone: "danger" },
};

function entryItem({ id, at, kind, reason }: LoginTimeline["entries"][number]): TimelineItem[] {
  const entry = ENTRIES[kind];
  if (!entry) return [];
  return [{ key: `entry-${id}`, at, ...entry, detail: REFUSALS[reason ?? ""] ?? reason }];
}

function eventItems({ id, created_at, url, attempts }: DeliveryItem): TimelineItem[] {
  return [
    { key: id, at: created_at, what: "Event recorded", detail: id, tone: "neutral" },
    ...attempts.map((attempt, index): TimelineItem => {
      const { at, status, error, latency_ms } = attempt;
      const wasDelivered = isDelivered(attempt);
      return {
        key: `${id}-${index}`,
        at,
        what: wasDelivered ? "Event delivered" : "Event sent but not accepted",
        detail: `${status ?? "No answer"} in ${latency_ms} ms from ${describeTarget(url)}${error ? `: ${error}` : ""}`,
        tone: wasDelivered ? "success" : "danger",
      };
    }),
  ];
}
