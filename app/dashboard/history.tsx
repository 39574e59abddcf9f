import type { AccountEvent } from "@svc/login";
import { TRIAL_PLATFORM } from "@svc/wallet/wallet-response";
import { ChevronDown } from "lucide-react";
import { Card } from "#packages/react/ui/elements.tsx";
import { LocalTime } from "#packages/react/ui/time.tsx";

/** The last things that happened to the user's logins, folded away. */
export function LoginHistory({ events, signedInWith }: { events: AccountEvent[]; signedInWith: string }) {
  const items = events.flatMap((event) => {
    const what = historyWords(event);
    return what === null ? [] : [{ event, what }];
  });
  return (
    <Card aria-labelledby="history" className="p-0!">
      <details className="group">
        <summary className="grid cursor-pointer list-none grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 rounded-base p-4 sm:p-6 [&::-webkit-details-marker]:hidden">
          <h2 id="history" className="font-semibold text-lg">
            History
          </h2>
          <ChevronDown
            aria-hidden
            className="row-span-2 size-5 shrink-0 text-muted-foreground group-open:rotate-180"
          />
          <span className="text-muted-foreground text-sm">
            {items.length === 0
              ? "Nothing happened in the last 30 days."
              : `${items.length === 1 ? "One event" : `${items.length} events`} of the last 30 days`}
          </span>
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

/** The key or address to show with an event, and its part in it; null if it is just the one signed in with now. */
function credentialOf(event: AccountEvent, signedInWith: string): { words: string; name: string } | null {
  const { kind, credential: name, credentialKind, subject } = event;
  if (subject !== null) return { words: "", name: subject };
  if (name === null) return null;
  const what = credentialKind === "address" ? "address" : "key";
  if (kind === "recovered" || kind === "recovery_pending") return { words: `the new ${what}`, name };
  if (kind === "credential_added" || kind === "credential_removed") return { words: `the ${what}`, name };
  return name === signedInWith ? null : { words: `by another ${what},`, name };
}

/** The platform that a browser wallet claims: `web`, or `web: ` and what it runs in. */
const BROWSER_PLATFORM = /^web(?:: (.+))?$/;
const PLATFORMS: Record<string, string> = {
  ios: "iOS",
  android: "Android",
  linux: "Linux",
  macos: "macOS",
  darwin: "macOS",
  win32: "Windows",
  windows: "Windows",
};

/**
 * A wallet's name by the platform that it claims to run on, `Wallet on iOS`; null if it claimed none.
 * @param browser the browser that it signed in, where a temporary wallet itself runs
 */
export function walletName(platform: string | null, browser: string | null): string | null {
  if (!platform) return null;
  if (platform === TRIAL_PLATFORM) return `Temporary wallet${browser ? inBrowser(browser) : ""}`;
  const web = BROWSER_PLATFORM.exec(platform);
  if (web) return `Demo wallet${inBrowser(web[1])}`;
  return `Wallet on ${PLATFORMS[platform.toLowerCase()] ?? platform}`;
}

const inBrowser = (name = "a browser") => ` in ${name.replace(/^(A|Unknown) browser/, "a browser")}`;

/** Whether a wallet claims to be temporary: once lost, nothing brings it back. */
export function isTrialWallet(platform: string | null): boolean {
  return platform === TRIAL_PLATFORM;
}

/** By kind, or by `kind: reason` where the reason says more; null for what the user need not read. */
const HISTORY_WORDS: Record<AccountEvent["kind"], string | null> & Record<`${string}: ${string}`, string> = {
  session_created: "Signed in",
  session_ended: "Revoked",
  "session_ended: signed_out": "Signed out",
  "session_ended: undone": "Undone",
  "session_ended: too_many": "Signed out: the oldest of more than 100 browsers",
  credential_added: "Sign-in method added",
  credential_removed: "Sign-in method removed",
  "credential_removed: not_mine": "Sign-in method removed by its owner, who said this isn’t their account",
  approved: "Change approved",
  api_key_created: "API key created",
  api_key_revoked: "API key revoked",
  webhook_secret_rotated: "Webhook secret replaced",
  webhook_url_changed: "Webhook URL changed",
  domain_deleted: "Domain deleted",
  signed_out_everywhere: "Signed out everywhere",
  recovery_codes_made: "Recovery codes made",
  recovery_opened: "Recovery started with one of your codes",
  recovery_pending: "Recovery waiting to take effect",
  recovery_cancelled: "Recovery cancelled",
  "recovery_cancelled: credential_taken": "Recovery cancelled because its key now opens another account",
  "recovery_cancelled: undone": "Recovery cancelled from the new wallet",
  recovered: "Account recovered",
  undone: "Sign-in undone from the wallet",
  // The login then opened a session, and the line of `session_created` says so.
  delivered: null,
  issued: null,
  refused: null,
  unregistered: null,
};

/** A line of the login history in words; null for what the user need not read. */
export function historyWords({ kind, reason }: Pick<AccountEvent, "kind" | "reason">): string | null {
  return HISTORY_WORDS[`${kind}: ${reason}`] ?? HISTORY_WORDS[kind];
}
