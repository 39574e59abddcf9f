"use client";

import { useHydrated } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Fact, Facts } from "#components/ui/facts.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { Timeline } from "#lib/hosted/contract/console.ts";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { SessionBadge, SessionTimeline, sessionState, timelineOf } from "./session-timeline.tsx";
import { CONSOLE_API, useLive } from "./use-live.ts";

/** The address of a login's timeline. */
export const timelineUrl = (mode: ApiMode, id: string) => `${CONSOLE_API}${mode}/sessions/${id}/timeline`;

/** True while more will happen in a login by itself. */
export function isUnderWay({ session, deliveries }: Timeline): boolean {
  return session.status === "pending" || deliveries.some(({ status }) => status === "pending");
}

/** A login: who, and what happened when, kept up to date. */
export function SessionView({ mode, timeline, at }: { mode: ApiMode; timeline: Timeline; at: string }) {
  const shown = useLive(timelineUrl(mode, timeline.session.id), timeline, isUnderWay);
  const { session, entries, deliveries } = shown;
  const now = useHydrated() ? new Date() : new Date(at);
  return (
    <>
      <Card aria-label="Facts">
        <Facts>
          <Fact name="State">
            <SessionBadge state={sessionState(session.status, new Date(session.expires_at), now)} />
          </Fact>
          <Fact name="What for">
            {session.mode} at {session.domain}
          </Fact>
          <Fact name="Created">
            <LocalTime iso={session.created_at} />
          </Fact>
          {session.undone_at && (
            <Fact name="Taken back by the wallet’s user">
              <LocalTime iso={session.undone_at} />
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
      <Card aria-labelledby="timeline">
        <CardHeader
          title="Timeline"
          id="timeline"
          actions={
            deliveries.length > 0 && (
              <TextLink href={`/console/${mode}/events?session_id=${session.id}`} className="text-sm">
                Events of this session
              </TextLink>
            )
          }
        />
        <SessionTimeline items={timelineOf(entries, deliveries)} />
      </Card>
    </>
  );
}
