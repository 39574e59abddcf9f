"use client";

import { useHydrated } from "#components/ui/button.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { ListedSession } from "#lib/hosted/contract/session.ts";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { SessionBadge, sessionState } from "./session-timeline.tsx";
import { CONSOLE_API, useLive } from "./use-live.ts";

type Listed = { sessions: ListedSession[] };

const isWaiting = ({ sessions }: Listed) => sessions.some(({ status }) => status === "pending");

/** The logins of a mode, newest first, kept up to date; each is a link to its timeline. */
export function SessionList({
  mode,
  query,
  sessions: initial,
  at,
  empty,
}: {
  mode: ApiMode;
  query: Record<string, string>;
  sessions: ListedSession[];
  /** When they were read, ISO 8601. */
  at: string;
  /** Stands here while there is none. */
  empty: React.ReactNode;
}) {
  const url = `${CONSOLE_API}${mode}/sessions?${new URLSearchParams(query)}`;
  const { sessions } = useLive<Listed>(url, { sessions: initial }, isWaiting);
  const now = useHydrated() ? new Date() : new Date(at);
  if (sessions.length === 0) return empty;
  return (
    <ul className="-mb-4 divide-y border-t">
      {sessions.map(({ id, domain, mode: action, status, created_at, expires_at }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <TextLink href={`/console/${mode}/sessions/${id}`} className="wrap-anywhere font-mono text-sm">
                {id}
              </TextLink>
              <SessionBadge state={sessionState(status, new Date(expires_at), now)} />
            </p>
            <p className="wrap-anywhere text-muted-foreground text-sm">
              {action} at {domain}
            </p>
          </div>
          <p className="text-muted-foreground text-sm">
            <LocalTime iso={created_at} />
          </p>
        </li>
      ))}
    </ul>
  );
}
