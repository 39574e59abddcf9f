import type { SessionState, TimelineItem } from "#components/console/hosted-sessions.tsx";
import type { AuditEntry } from "#lib/account/store/history.ts";
import type { DeliveryItem } from "#lib/hosted/contract/event.ts";

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
export function timelineOf(
  entries: Pick<AuditEntry, "id" | "at" | "kind" | "reason">[],
  events: DeliveryItem[],
): TimelineItem[] {
  const items = [...entries.flatMap(entryItem), ...events.flatMap(eventItems)];
  return items.toSorted((one, other) => one.at.localeCompare(other.at));
}

function entryItem({ id, at, kind, reason }: Parameters<typeof timelineOf>[0][number]): TimelineItem[] {
  const item = (what: string, tone: TimelineItem["tone"], detail: string | null = null) => [
    { key: `entry-${id}`, at: at.toISOString(), what, detail, tone },
  ];
  switch (kind) {
    case "issued":
      return item("Challenge issued", "neutral");
    case "refused":
      return item("A wallet’s answer was refused", "danger", REFUSALS[reason ?? ""] ?? reason);
    case "delivered":
      return item("A wallet’s answer was accepted: authenticated", "success");
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
        what: good ? "Event sent" : "Event sent, not accepted",
        detail: `${status ?? "No answer"} in ${latency_ms} ms from ${url}${error ? `: ${error}` : ""}`,
        tone: good ? "success" : "danger",
      };
    }),
  ];
}
