import { Container } from "#components/site/container.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { API_MODES, type ApiMode } from "#lib/hosted/contract/tenant.ts";

/** The parts of the console, by their path below a mode. */
const SECTIONS = [
  ["", "Overview"],
  ["/keys", "Keys"],
  ["/domains", "Domains"],
  ["/events", "Events"],
  ["/sessions", "Sessions"],
  ["/signatures", "Signatures"],
] as const;

export type ConsoleSection = (typeof SECTIONS)[number][0];

/** The frame of every page of the console: where one is, in which mode, and what the page is for. */
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
    <Container>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b pb-4 print:hidden">
        <nav aria-label="Console" className="-mx-2 flex flex-wrap">
          {SECTIONS.map(([path, name]) => (
            <a
              key={path}
              href={`/console/${mode}${path}`}
              aria-current={path === section ? "page" : undefined}
              className="flex min-h-9 items-center rounded-base px-2 text-muted-foreground text-sm underline-offset-4 hover:underline aria-[current]:font-semibold aria-[current]:text-foreground"
            >
              {name}
            </a>
          ))}
        </nav>
        <ModeSwitch mode={mode} section={section} />
      </div>
      <div className="mb-6">
        <h1 className="wrap-anywhere font-semibold text-title">{title}</h1>
        <p className="mt-1 max-w-prose text-muted-foreground">{lead}</p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">{children}</div>
    </Container>
  );
}

function ModeSwitch({ mode, section }: { mode: ApiMode; section: ConsoleSection }) {
  return (
    <nav aria-label="Mode" className="flex rounded-base border border-input bg-card">
      {API_MODES.toReversed().map((name) => (
        <a
          key={name}
          href={`/console/${name}${section}`}
          aria-current={name === mode ? "true" : undefined}
          className={classNames(
            "flex min-h-9 items-center px-4 text-sm first:rounded-l-base last:rounded-r-base",
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

/** What the modes are called. */
export const MODE_NAMES: Record<ApiMode, string> = { live: "Live", test: "Test" };

/** The way to the next page of a list, and back to its beginning. */
export function Pager({
  path,
  query,
  cursor,
  next,
}: {
  path: string;
  /** What the list is narrowed by. */
  query?: Record<string, string>;
  /** Where this page begins; null on the first. */
  cursor: string | null;
  next: string | null;
}) {
  if (cursor === null && next === null) return null;
  const href = (more: Record<string, string>) => {
    const search = new URLSearchParams({ ...query, ...more }).toString();
    return search === "" ? path : `${path}?${search}`;
  };
  return (
    <nav aria-label="Pages" className="flex flex-wrap gap-3 border-t pt-4">
      {cursor !== null && (
        <ButtonLink size="small" href={href({})}>
          Newest
        </ButtonLink>
      )}
      {next !== null && (
        <ButtonLink size="small" href={href({ cursor: next })}>
          Older
        </ButtonLink>
      )}
    </nav>
  );
}

/** What stands where a list will be: what it will show, and the first step to it. */
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
