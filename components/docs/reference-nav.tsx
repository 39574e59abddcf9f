"use client";

import { useEffect, useRef, useState } from "react";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { Menu } from "#packages/react/ui/icons.tsx";
import { DocsSearch } from "./docs-search.tsx";

type ReferenceEntry = {
  id: string;
  name: string;
};
type ReferenceGroup = { title: string; entries: readonly ReferenceEntry[] };

const MENU_ID = "reference-menu";

/** Next to the page if there is room, otherwise behind a button that shows the current section. */
export function ReferenceNav({ groups }: { groups: readonly ReferenceGroup[] }) {
  const menu = useRef<HTMLElement>(null);
  const current = useCurrentSection(groups);
  const leave = () => {
    if (menu.current?.matches(":popover-open")) menu.current.hidePopover();
  };

  return (
    // On a phone, the bar remains visible while the reader scrolls down the page.
    <div className="max-lg:contents lg:sticky lg:top-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:px-1 lg:py-8 print:hidden">
      <div className="py-4 lg:p-0">
        <DocsSearch />
      </div>
      <div className="sticky top-0 z-10 -mx-4 border-b bg-background px-4 py-2 sm:-mx-6 sm:px-6 lg:hidden">
        <button
          type="button"
          popoverTarget={MENU_ID}
          className="flex min-h-11 w-full items-center gap-2 rounded-base text-left font-semibold"
        >
          <Menu aria-hidden className="size-5 shrink-0" />
          <span className="sr-only">Contents: </span>
          {current?.name ?? "Contents"}
        </button>
      </div>
      <nav
        ref={menu}
        id={MENU_ID}
        popover="auto"
        aria-label="Reference"
        className="fixed inset-x-4 top-4 bottom-4 m-0 h-auto w-auto overflow-y-auto rounded-base border bg-card p-4 text-foreground backdrop:bg-black/50 lg:static lg:block lg:w-full lg:overflow-visible lg:rounded-none lg:border-0 lg:bg-transparent lg:p-0"
      >
        {groups.map(({ title, entries }) => (
          <div key={title} className="mt-4">
            <p className="font-semibold text-sm">{title}</p>
            <ul className="mt-1">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <EntryLink entry={entry} current={entry.id === current?.id} onClick={leave} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  );
}

function EntryLink({
  entry: { id, name },
  current,
  onClick,
}: {
  entry: ReferenceEntry;
  current: boolean;
  onClick(): void;
}) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (current) link.current?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <a
      ref={link}
      href={`#${id}`}
      aria-current={current ? "location" : undefined}
      onClick={onClick}
      className={joinClassNames(
        "block border-l-2 py-2 pl-3 text-sm hover:text-foreground lg:py-1",
        current ? "border-primary font-semibold text-foreground" : "border-transparent text-muted-foreground",
      )}
    >
      {name}
    </a>
  );
}

/**
 * The part of the window that the reader is assumed to be reading: from below the sticky bar down to a third of the
 * window's height.
 */
const READ_BAND = "-80px 0px -66% 0px";

/** Null above the first section. */
function useCurrentSection(groups: readonly ReferenceGroup[]): ReferenceEntry | null {
  const [currentId, setCurrentId] = useState<string | null>(null);
  useEffect(() => {
    const inBand = new Set<string>();
    const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id));
    const observer = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          if (isIntersecting) inBand.add(target.id);
          else inBand.delete(target.id);
        }
        setCurrentId((previousId) => ids.find((id) => inBand.has(id)) ?? previousId);
      },
      { rootMargin: READ_BAND },
    );
    for (const id of ids) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [groups]);
  return groups.flatMap(({ entries }) => entries).find(({ id }) => id === currentId) ?? null;
}
