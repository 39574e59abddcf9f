import { ChevronDown } from "lucide-react";
import { Card } from "#components/ui/card.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";

export type HistoryItem = {
  id: string;
  /** ISO 8601. */
  at: string;
  /** What happened, in words. */
  what: string;
  /** The browser in words. */
  browser: string;
  /** The wallet, or null. */
  wallet: string | null;
  /** A key's fingerprint or an address, where it says more than what is used now; what it has to do with it. */
  credential: { words: string; name: string } | null;
};

/** The last things that happened to the user's logins, folded away. */
export function LoginHistory({ items }: { items: HistoryItem[] }) {
  return (
    <Card aria-labelledby="history" className="p-0!">
      <details className="group">
        <summary className="flex cursor-pointer list-none items-center justify-between gap-4 rounded-base p-4 sm:p-6 [&::-webkit-details-marker]:hidden">
          <div>
            <h2 id="history" className="font-semibold text-lg">
              History
            </h2>
            <span className="text-muted-foreground text-sm">
              {items.length === 0
                ? "Nothing happened in the last 30 days."
                : `${items.length === 1 ? "One event" : `${items.length} events`} of the last 30 days`}
            </span>
          </div>
          <ChevronDown aria-hidden className="size-5 shrink-0 text-muted-foreground group-open:rotate-180" />
        </summary>
        <div className="px-4 pb-4 sm:px-6 sm:pb-6">
          <ol className="-mb-3 divide-y border-t">
            {items.map(({ id, at, what, browser, wallet, credential }) => (
              <li key={id} className="grid gap-x-6 py-3 text-sm sm:grid-cols-[minmax(0,1fr)_auto]">
                <p>
                  {what}
                  <span className="text-muted-foreground">
                    , {browser}
                    {wallet && ` with ${wallet}`}
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
        </div>
      </details>
    </Card>
  );
}
