import { Badge } from "#components/ui/badge.tsx";
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
