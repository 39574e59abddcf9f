import { Badge } from "#components/ui/badge.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { LocalTime } from "#components/ui/local-time.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";

export type HostedSessionItem = {
  id: string;
  domain: string;
  action: "login" | "register";
  state: SessionState;
  /** ISO 8601. */
  createdAt: string;
};

export type SessionState = "pending" | "expired" | "authenticated";

const STATES = {
  pending: { name: "Waiting", tone: "warning" },
  expired: { name: "Code expired", tone: "neutral" },
  authenticated: { name: "Authenticated", tone: "success" },
} as const;

/** The logins of a mode, each a link to its timeline. */
export function HostedSessionList({ mode, sessions }: { mode: ApiMode; sessions: HostedSessionItem[] }) {
  return (
    <ul className="-mb-4 divide-y border-t">
      {sessions.map(({ id, domain, action, state, createdAt }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <TextLink href={`/console/${mode}/sessions/${id}`} className="wrap-anywhere font-mono text-sm">
                {id}
              </TextLink>
              <SessionBadge state={state} />
            </p>
            <p className="wrap-anywhere text-muted-foreground text-sm">
              {action} at {domain}
            </p>
          </div>
          <p className="text-muted-foreground text-sm">
            <LocalTime iso={createdAt} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Where a login stands. */
export function SessionBadge({ state }: { state: SessionState }) {
  const { name, tone } = STATES[state];
  return <Badge tone={tone}>{name}</Badge>;
}

export type TimelineItem = {
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
    <ol className="border-t">
      {items.map(({ key, at, what, detail, tone }) => (
        <li
          key={key}
          className="grid grid-cols-[0.75rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 border-b py-3 last:border-b-0 last:pb-0 sm:grid-cols-[0.75rem_minmax(0,1fr)_auto_7rem]"
        >
          <span aria-hidden className={classNames("size-2 rounded-base", TONES[tone])} />
          <p>
            {what}
            {detail && <span className="wrap-anywhere block text-muted-foreground text-sm">{detail}</span>}
          </p>
          <div className="col-start-2 flex flex-wrap gap-x-4 text-muted-foreground sm:contents">
            <ExactTime iso={at} />
            <span className="whitespace-nowrap font-mono text-sm tabular-nums sm:text-right">
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
