import type { AccountEvent } from "@svc/login";
import { fingerprintWords } from "@svc/login/protocol";
import { TRIAL_PLATFORM } from "@svc/wallet/wallet-response";
import { Card } from "#packages/react/ui/elements.tsx";
import { ChevronDown } from "#packages/react/ui/icons.tsx";
import { TimeAgo } from "#packages/react/ui/time.tsx";

export function LoginHistory({
  events,
  signedInWith,
  nameOf,
}: {
  events: AccountEvent[];
  signedInWith: string;
  nameOf: (credential: string | null) => string | null;
}) {
  const items = events.flatMap((event) => {
    const what = sentence(event, nameOf);
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
              ? "No activity in the last 30 days."
              : `${items.length === 1 ? "One event" : `${items.length} events`} in the last 30 days`}
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
  const credential = credentialOf(event, signedInWith);
  return (
    <li className="grid gap-x-6 py-3 text-sm sm:grid-cols-[minmax(0,1fr)_auto]">
      <p className="min-w-0">
        {what}
        {credential && (
          <span className="wrap-anywhere block text-muted-foreground">
            {credential.words} {fingerprintWords(credential.name)?.join(" ") ?? credential.name}
          </span>
        )}
      </p>
      <p className="text-muted-foreground sm:text-right">
        {event.browser} <span className="sm:hidden">·</span>{" "}
        <span className="sm:block">
          <TimeAgo iso={event.at} />
        </span>
      </p>
    </li>
  );
}

/** For a sign-in, names the key or Bitcoin address that was used. */
function sentence(event: AccountEvent, nameOf: (credential: string | null) => string | null): string | null {
  const what = describeHistoryEntry(event);
  const wallet = walletName(event.platform, null);
  const name = nameOf(event.credential) ?? (wallet && withArticle(wallet));
  return event.kind === "session_created" && name ? `${what} with ${name}` : what;
}

/** Null if this browser signed in with the event's key or address. */
function credentialOf(event: AccountEvent, signedInWith: string): { words: string; name: string } | null {
  const { kind, credential: name, credentialKind, subject } = event;
  if (subject !== null) return { words: "", name: subject };
  if (name === null) return null;
  const what = credentialKind === "address" ? "address" : "key";
  if (kind === "recovered" || kind === "recovery_pending") return { words: `the new ${what}`, name };
  if (kind === "credential_added" || kind === "credential_removed") return { words: `the ${what}`, name };
  return name === signedInWith ? null : { words: `by another ${what},`, name };
}

/** The platform that a browser wallet claims: `web`, or `web: ` and the browser's name. */
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
 * For example `Wallet on iOS`. Null if the wallet claims no platform.
 * @param browser the browser that the wallet signed in, in which a temporary wallet also runs
 */
export function walletName(platform: string | null, browser: string | null): string | null {
  if (!platform) return null;
  if (platform === TRIAL_PLATFORM) return `Temporary wallet${browser ? inBrowser(browser) : ""}`;
  const web = BROWSER_PLATFORM.exec(platform);
  if (web) return `Demo wallet${inBrowser(web[1])}`;
  return `Wallet on ${PLATFORMS[platform.toLowerCase()] ?? platform}`;
}

/** For example `a demo wallet in Chrome on macOS`. */
export function withArticle(device: string): string {
  return device.startsWith("Bitcoin")
    ? `the ${device}`
    : `a ${device.charAt(0).toLowerCase()}${device.slice(1)}`;
}

const inBrowser = (name = "a browser") => ` in ${name.replace(/^(A|Unknown) browser/, "a browser")}`;

/** Such a wallet cannot be restored. */
export function isTrialWallet(platform: string | null): boolean {
  return platform === TRIAL_PLATFORM;
}

/** By kind or, if the reason matters, by `kind: reason`. Null hides the event from users. */
const HISTORY_WORDS: Record<AccountEvent["kind"], string | null> & Record<`${string}: ${string}`, string> = {
  session_created: "Signed in",
  session_ended: "Revoked",
  "session_ended: signed_out": "Signed out",
  "session_ended: undone": "Undone",
  "session_ended: too_many": "Signed out, as the oldest of more than 100 browsers",
  credential_added: "Wallet added",
  credential_removed: "Wallet removed",
  "credential_removed: not_mine": "Wallet removed by its owner, who said this isn’t their account",
  approved: "Change approved",
  api_key_created: "API key created",
  api_key_revoked: "API key revoked",
  webhook_secret_rotated: "Webhook secret replaced",
  webhook_url_changed: "Webhook URL changed",
  domain_deleted: "Domain deleted",
  signed_out_everywhere: "Signed out everywhere",
  recovery_codes_made: "Recovery codes created",
  recovery_opened: "Recovery started with one of your codes",
  recovery_pending: "Recovery waiting to take effect",
  recovery_cancelled: "Recovery cancelled",
  "recovery_cancelled: credential_taken":
    "Recovery cancelled because its key now belongs to a different account",
  "recovery_cancelled: undone": "Recovery cancelled from the new wallet",
  recovered: "Account recovered",
  undone: "Sign-in undone from the wallet",
  // The `session_created` event already shows this login.
  delivered: null,
  issued: null,
  refused: null,
  unregistered: null,
};

/** Null if users need not see the event. */
export function describeHistoryEntry({
  kind,
  reason,
  credential,
}: Pick<AccountEvent, "kind" | "reason" | "credential">): string | null {
  const what = HISTORY_WORDS[`${kind}: ${reason}`] ?? HISTORY_WORDS[kind];
  const isAddress = credential !== null && fingerprintWords(credential) === null;
  return isAddress ? (what?.replace("Wallet", "Address") ?? null) : what;
}
