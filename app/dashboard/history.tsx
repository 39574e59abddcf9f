import type { AccountEvent } from "@svc/login";
import { ChevronDown } from "lucide-react";
import { Card } from "#components/ui/elements.tsx";
import { LocalTime } from "#components/ui/time.tsx";
import { historyWords, walletName } from "./words.ts";

/** The last things that happened to the user's logins, folded away. */
export function LoginHistory({ events, signedInWith }: { events: AccountEvent[]; signedInWith: string }) {
  const items = events.flatMap((event) => {
    const what = historyWords(event);
    return what === null ? [] : [{ event, what }];
  });
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
            {items.map(({ event, what }) => (
              <HistoryLine key={event.id} {...{ event, what, signedInWith }} />
            ))}
          </ol>
        </div>
      </details>
    </Card>
  );
}

function HistoryLine(props: { event: AccountEvent; what: string; signedInWith: string }) {
  const { event, what, signedInWith } = props;
  const wallet = walletName(event.platform, null);
  const credential = credentialOf(event, signedInWith);
  return (
    <li className="grid gap-x-6 py-3 text-sm sm:grid-cols-[minmax(0,1fr)_auto]">
      <p>
        {what}
        <span className="text-muted-foreground">
          , {event.browser}
          {wallet && ` with ${wallet}`}
        </span>
      </p>
      <p className="text-muted-foreground sm:text-right">
        <LocalTime iso={event.at} />
      </p>
      {credential && (
        <p className="wrap-anywhere text-muted-foreground sm:col-span-2">
          {credential.words} <span className="font-mono">{credential.name}</span>
        </p>
      )}
    </li>
  );
}

/** The key or address to show with an event, and its part in the event; null if it is only the one in use now. */
function credentialOf(event: AccountEvent, signedInWith: string): { words: string; name: string } | null {
  const { kind, credential: name, credentialKind, subject } = event;
  if (subject !== null) return { words: "", name: subject };
  if (name === null) return null;
  const what = credentialKind === "address" ? "address" : "key";
  if (kind === "recovered" || kind === "recovery_pending") return { words: `the new ${what}`, name };
  if (kind === "credential_added" || kind === "credential_removed") return { words: `the ${what}`, name };
  return name === signedInWith ? null : { words: `by another ${what},`, name };
}
