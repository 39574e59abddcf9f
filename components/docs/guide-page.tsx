import { Summary } from "#components/ui/details.tsx";
import type { GuideHeading } from "#lib/guides/parse-guide.ts";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { ArrowLeft, ArrowRight } from "#packages/react/ui/icons.tsx";
import { DocsSearch } from "./docs-search.tsx";

export type GuideLink = { href: string; name: string };
export type GuideLinks = { title: string; guides: GuideLink[] };

export function GuidePage({
  title,
  trail = null,
  groups,
  current,
  headings,
  previous = null,
  next = null,
  children,
}: {
  title: string;
  /** The list that contains the page, and the page's place in it. */
  trail?: (GuideLink & { place: string }) | null;
  groups: GuideLinks[];
  /** This page's path in the list of guides. */
  current: string;
  headings: GuideHeading[];
  previous?: GuideLink | null;
  next?: GuideLink | null;
  children: React.ReactNode;
}) {
  const contents = headings.filter(({ depth }) => depth <= 3);
  return (
    <WidePage
      className={joinClassNames(
        "py-6 lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-x-10 lg:py-0",
        contents.length > 1 && "xl:grid-cols-[14rem_minmax(0,1fr)_14rem]",
      )}
    >
      <div className="print:hidden">
        <div className={`lg:px-1 ${SIDE_CLASS}`}>
          <DocsSearch />
          <nav aria-label="Guides" className="hidden lg:block">
            <GuideList groups={groups} current={current} />
          </nav>
        </div>
      </div>
      <article className="min-w-0 lg:py-8">
        <CollapsibleList title="All guides">
          <GuideList groups={groups} current={current} />
        </CollapsibleList>
        {trail && (
          <p className="mt-4 text-muted-foreground text-sm lg:mt-0">
            <a href={trail.href} className="underline-offset-4 hover:underline">
              {trail.name}
            </a>{" "}
            / {trail.place}
          </p>
        )}
        <h1 className={joinClassNames("font-semibold text-title", trail ? "mt-1" : "mt-4 lg:mt-0")}>
          {title}
        </h1>
        {contents.length > 1 && (
          <CollapsibleList title="On this page" className="xl:hidden">
            <Contents headings={contents} />
          </CollapsibleList>
        )}
        {children}
        {(previous || next) && (
          <nav
            aria-label="Previous and next"
            className="mt-12 grid gap-4 border-t pt-6 sm:grid-cols-2 print:hidden"
          >
            {previous && <AdjacentGuide {...previous} label="Previous" />}
            {next && <AdjacentGuide {...next} label="Next" />}
          </nav>
        )}
      </article>
      {contents.length > 1 && (
        <nav aria-label="On this page" className="hidden xl:block print:hidden">
          <div className={`px-1 ${SIDE_CLASS}`}>
            <p className="font-semibold text-sm">On this page</p>
            <Contents headings={contents} />
          </div>
        </nav>
      )}
    </WidePage>
  );
}

function AdjacentGuide({ href, name, label }: GuideLink & { label: "Previous" | "Next" }) {
  return (
    <a
      href={href}
      className={joinClassNames(
        "rounded-base border bg-card p-4 hover:border-input",
        label === "Next" && "text-right sm:col-start-2",
      )}
    >
      <span className="block text-muted-foreground text-sm">{label}</span>
      <span className="inline-flex items-center gap-2 font-semibold text-primary">
        {label === "Previous" && <ArrowLeft aria-hidden className="size-4 shrink-0" />}
        {name}
        {label === "Next" && <ArrowRight aria-hidden className="size-4 shrink-0" />}
      </span>
    </a>
  );
}

const SIDE_CLASS = "lg:sticky lg:top-0 lg:max-h-dvh lg:overflow-y-auto lg:py-8";

function CollapsibleList({
  title,
  className = "lg:hidden",
  children,
}: {
  title: string;
  className?: string;
  children: React.ReactNode;
}) {
  return (
    <details className={joinClassNames("mt-2 rounded-base border bg-card print:hidden", className)}>
      <Summary className="min-h-11 px-3 font-semibold">{title}</Summary>
      <div className="border-t px-3 py-2">{children}</div>
    </details>
  );
}

function GuideList({ groups, current }: { groups: GuideLinks[]; current: string }) {
  return groups.map(({ title, guides }) => (
    <div key={title} className="my-4">
      <p className="font-semibold text-sm">{title}</p>
      <ul className="mt-1">
        {guides.map(({ href, name }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={href === current ? "page" : undefined}
              className={joinClassNames(
                "block border-l-2 py-2 pl-3 text-sm hover:text-foreground lg:py-1",
                href === current
                  ? "border-primary font-semibold text-foreground"
                  : "border-transparent text-muted-foreground",
              )}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  ));
}

function Contents({ headings }: { headings: GuideHeading[] }) {
  return (
    <ul className="mt-1">
      {headings.map(({ anchor, text, depth }) => (
        <li key={anchor}>
          <a
            href={`#${anchor}`}
            className={joinClassNames(
              "wrap-anywhere block py-2 text-muted-foreground text-sm hover:text-foreground lg:py-1",
              depth > 2 && "pl-3",
            )}
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The header and footer become as wide as this page (components/site). */
export function WidePage({ className, children }: { className: string; children: React.ReactNode }) {
  return (
    <div data-wide className={`mx-auto w-full max-w-7xl px-4 sm:px-6 ${className}`}>
      {children}
    </div>
  );
}
