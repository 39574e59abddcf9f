"use client";

import { Fact, Facts } from "#components/ui/details.tsx";
import type { LoginTimeline } from "#lib/hosted/contract/console.ts";
import type { ListedSession } from "#lib/hosted/contract/session.ts";
import { serverNow } from "#packages/login/client/server-clock.ts";
import { useHydrated } from "#packages/react/ui/button.tsx";
import { Badge, Card, Section, TextLink } from "#packages/react/ui/elements.tsx";
import { TimeAgo } from "#packages/react/ui/time.tsx";
import { useApiMode, useLiveData } from "./live.tsx";
import { buildTimeline, SessionTimeline, sessionState } from "./session-timeline.tsx";

const STATES = {
  pending: { name: "Waiting", tone: "warning" },
  expired: { name: "Code expired", tone: "neutral" },
  authenticated: { name: "Authenticated", tone: "success" },
} as const;

export function SessionBadge({
  session,
  at,
}: {
  session: Pick<ListedSession, "status" | "expires_at">;
  at: string;
}) {
  const now = useHydrated() ? serverNow() : Date.parse(at);
  const { name, tone } = STATES[sessionState(session, now)];
  return <Badge tone={tone}>{name}</Badge>;
}

export const timelinePath = (id: string) => `/sessions/${id}/timeline`;

/** True if the login can still change without the user's action. */
export function isInProgress({ session, deliveries }: LoginTimeline): boolean {
  return session.status === "pending" || deliveries.some(({ status }) => status === "pending");
}

export function SessionView({ timeline, at }: { timeline: LoginTimeline; at: string }) {
  const mode = useApiMode();
  const path = timelinePath(timeline.session.id);
  const { session, entries, deliveries } = useLiveData(path, timeline, isInProgress);
  return (
    <>
      <Card aria-label="Facts">
        <Facts>
          <Fact name="State">
            <SessionBadge session={session} at={at} />
          </Fact>
          <Fact name="Purpose">
            {session.mode} at {session.domain}
          </Fact>
          <Fact name="Created">
            <TimeAgo iso={session.created_at} />
          </Fact>
          {session.undone_at && (
            <Fact name="Undone by the wallet’s user">
              <TimeAgo iso={session.undone_at} />
            </Fact>
          )}
          <Fact name="User’s public key">
            {session.public_key ? (
              <code className="font-mono">{session.public_key}</code>
            ) : (
              "Known once a wallet has answered"
            )}
          </Fact>
        </Facts>
      </Card>
      <Section
        id="timeline"
        title="Timeline"
        actions={
          deliveries.length > 0 && (
            <TextLink href={`/console/${mode}/events?session_id=${session.id}`} className="text-sm">
              Events in this session
            </TextLink>
          )
        }
      >
        <SessionTimeline items={buildTimeline(entries, deliveries)} />
      </Section>
    </>
  );
}
