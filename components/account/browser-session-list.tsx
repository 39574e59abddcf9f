import { Badge } from "#components/ui/badge.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { RevokeButton, SignOutEverywhere } from "./session-actions.tsx";

export type BrowserSessionItem = {
  id: string;
  /** The browser in words. */
  browser: string;
  /** The wallet's device, or null. */
  device: string | null;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastSeenAt: string;
  /** True for the browser that looks at the list. */
  current: boolean;
};

/**
 * The user's signed-in browsers, each to be revoked, or all at once.
 * @param apiKeys how many API keys outlive them
 */
export function BrowserSessionList({
  sessions,
  apiKeys,
}: {
  sessions: BrowserSessionItem[];
  apiKeys: number;
}) {
  return (
    <Card aria-labelledby="sessions">
      <CardHeader
        title="Where you are signed in"
        id="sessions"
        actions={<SignOutEverywhere apiKeys={apiKeys} />}
      >
        Revoke what you do not recognise: that browser is signed out at once.
      </CardHeader>
      <ul className="-mb-4 divide-y border-t">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                {session.browser}
                {session.current && <Badge tone="success">This browser</Badge>}
              </p>
              <p className="text-muted-foreground text-sm">
                Signed in <LocalTime iso={session.createdAt} />
                {session.device && <> with {session.device}</>}, last seen{" "}
                <LocalTime iso={session.lastSeenAt} />
              </p>
            </div>
            {!session.current && <RevokeButton id={session.id} browser={session.browser} />}
          </li>
        ))}
      </ul>
      {sessions.length === 1 && (
        <p className="mt-4 border-t pt-4 text-muted-foreground text-sm">No other browser is signed in.</p>
      )}
    </Card>
  );
}
