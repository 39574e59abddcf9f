import { Card, CardHeader } from "#components/ui/card.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";

export type HistoryItem = {
  id: string;
  /** ISO 8601. */
  at: string;
  /** What happened, in words. */
  what: string;
  /** The browser in words. */
  browser: string;
  /** The wallet's device, or null. */
  device: string | null;
  /** A key's fingerprint or an address, where it says more than what is used now; what it has to do with it. */
  credential: { words: string; name: string } | null;
};

/** The last things that happened to the user's logins. */
export function LoginHistory({ items }: { items: HistoryItem[] }) {
  return (
    <Card aria-labelledby="history">
      <CardHeader title="Login history" id="history">
        The latest first, kept for 30 days.
      </CardHeader>
      {items.length === 0 ? (
        <p className="border-t pt-4 text-muted-foreground text-sm">Nothing in the last 30 days.</p>
      ) : (
        <ol className="-mb-3 divide-y border-t">
          {items.map(({ id, at, what, browser, device, credential }) => (
            <li key={id} className="grid gap-x-6 py-3 text-sm sm:grid-cols-[minmax(0,1fr)_auto]">
              <p>
                {what}
                <span className="text-muted-foreground">
                  , {browser}
                  {device && ` with ${device}`}
                </span>
              </p>
              <p className="text-muted-foreground sm:text-right">
                <LocalTime iso={at} />
              </p>
              {credential && (
                <p className="wrap-anywhere text-muted-foreground sm:col-span-2">
                  {credential.words} <span className="font-mono">{credential.name}</span>
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
