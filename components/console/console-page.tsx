import { API_MODES, type ApiMode, TEST_INBOX_PATH } from "#lib/hosted/contract/tenant.ts";
import { ButtonLink, type ButtonLook, buttonClass, joinClassNames } from "#packages/react/ui/button-look.tsx";
import {
  Activity,
  Globe,
  KeyRound,
  LayoutDashboard,
  PenLine,
  Play,
  ScrollText,
  Search,
} from "#packages/react/ui/icons.tsx";
import { TEXT_FIELD_CLASS } from "#packages/react/ui/text-field.tsx";
import { SignInEnded } from "./live.tsx";

/** With their paths below the mode. */
const SECTIONS = [
  ["", "Overview", LayoutDashboard],
  ["/test-login", "Test login", Play],
  ["/keys", "Keys", KeyRound],
  ["/domains", "Domains", Globe],
  ["/sessions", "Sessions", Activity],
  ["/events", "Events", ScrollText],
  ["/signatures", "Signatures", PenLine],
] as const;

/** Exists only in test mode: in live mode, every login belongs to a real user. */
const TEST_LOGIN = "/test-login";

type ConsoleSection = (typeof SECTIONS)[number][0];

export function ConsolePage({
  mode,
  section,
  title,
  lead,
  children,
}: {
  mode: ApiMode;
  section: ConsoleSection;
  title: React.ReactNode;
  lead: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <div
      data-wide
      className="mx-auto grid w-full max-w-7xl grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-5 px-4 pt-2 pb-10 sm:px-6 lg:grid-cols-[10rem_minmax(0,1fr)] lg:py-10"
    >
      <ConsoleNav mode={mode} section={section} />
      <div className="min-w-0">
        <div className="mb-6">
          <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
            <h1 className="wrap-anywhere flex flex-wrap items-center gap-x-3 font-semibold text-title">
              {title}
            </h1>
            <ModeSwitch mode={mode} section={section} />
          </div>
          <div className="mt-1 max-w-prose text-pretty text-muted-foreground">{lead}</div>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <SignInEnded />
          {children}
        </div>
      </div>
    </div>
  );
}

/** On a phone, a row that scrolls sideways and starts at the current section. */
function ConsoleNav({ mode, section }: { mode: ApiMode; section: ConsoleSection }) {
  return (
    <nav
      aria-label="Console"
      className="-mx-4 flex overflow-x-auto border-b px-2 [scrollbar-width:none] sm:-mx-6 sm:px-4 lg:sticky lg:top-6 lg:mx-0 lg:grid lg:content-start lg:overflow-visible lg:gap-1 lg:self-start lg:border-b-0 lg:px-0 print:hidden"
    >
      {SECTIONS.filter(([path]) => mode === "test" || path !== TEST_LOGIN).map(([path, name, Icon]) => (
        <a
          key={path}
          href={`/console/${mode}${path}`}
          aria-current={path === section ? "page" : undefined}
          className="flex min-h-11 items-center gap-2 whitespace-nowrap border-transparent border-b-2 px-2 text-muted-foreground text-sm hover:text-foreground focus-visible:-outline-offset-2 aria-[current]:border-primary aria-[current]:font-semibold aria-[current]:text-foreground aria-[current]:[scroll-initial-target:nearest] lg:-mx-2 lg:min-h-9 lg:rounded-base lg:border-b-0 lg:hover:bg-muted lg:aria-[current]:bg-muted"
        >
          <Icon aria-hidden className="hidden size-4 shrink-0 lg:block" />
          {name}
        </a>
      ))}
    </nav>
  );
}

function ModeSwitch({ mode, section }: { mode: ApiMode; section: ConsoleSection }) {
  return (
    <nav aria-label="Mode" className="flex shrink-0 rounded-base border border-input bg-card print:hidden">
      {API_MODES.toReversed().map((name) => (
        <a
          key={name}
          href={`/console/${name}${section === TEST_LOGIN ? "" : section}`}
          aria-current={name === mode ? "true" : undefined}
          className={joinClassNames(
            "flex min-h-9 items-center px-3 text-sm first:rounded-l-base last:rounded-r-base sm:px-4",
            name === mode
              ? "bg-primary font-semibold text-primary-foreground"
              : "text-foreground hover:bg-muted",
          )}
        >
          {MODE_NAMES[name]}
        </a>
      ))}
    </nav>
  );
}

export function TestLoginLink({ domain, ...look }: ButtonLook & { domain?: string }) {
  const query = domain === undefined ? "" : `?${new URLSearchParams({ domain })}`;
  return (
    <ButtonLink {...look} href={`/console/test/test-login${query}`}>
      Start a test login
    </ButtonLink>
  );
}

export function FindById({ mode }: { mode: ApiMode }) {
  return (
    <search>
      <form action={`/console/${mode}/sessions`} className="flex gap-2">
        <input
          type="search"
          name="id"
          required
          maxLength={100}
          aria-label="Find by id"
          placeholder="Find by id"
          autoComplete="off"
          spellCheck={false}
          className={`${TEXT_FIELD_CLASS} min-h-9 w-44 text-sm`}
        />
        <button type="submit" aria-label="Find" className={buttonClass({ size: "small" })}>
          <Search aria-hidden className="size-4" />
        </button>
      </form>
    </search>
  );
}

/** Events to this URL are stored for the console instead of being sent to a server. */
export const isTestInboxUrl = (url: string) => new URL(url).pathname === TEST_INBOX_PATH;

export const describeTarget = (url: string) => (isTestInboxUrl(url) ? "the test inbox" : url);

export const EVENT_STATUSES = {
  pending: { name: "Pending", tone: "warning" },
  delivered: { name: "Delivered", tone: "success" },
  failed: { name: "Failed", tone: "danger" },
} as const;

export const MODE_NAMES: Record<ApiMode, string> = { live: "Live", test: "Test" };

export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children: React.ReactNode;
  action?: React.ReactNode;
}) {
  return (
    <div className="grid justify-items-start gap-3 border-t pt-4">
      <div>
        <p className="font-semibold">{title}</p>
        <p className="max-w-prose text-muted-foreground text-sm">{children}</p>
      </div>
      {action}
    </div>
  );
}
