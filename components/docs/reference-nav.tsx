"use client";

import { Menu, Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { FIELD_CLASS } from "#components/ui/text-field.tsx";
import {
  type FoundEntry,
  type ReferenceEntry,
  type ReferenceGroup,
  searchReference,
} from "./search-reference.ts";

const MENU_ID = "reference-menu";

/**
 * The list of everything in the reference, with a search: at the side where there is room, else behind a button that
 * says where the reader is. `/` goes to the search, the arrows go through what was found.
 */
export function ReferenceNav({ groups }: { groups: readonly ReferenceGroup[] }) {
  const [query, setQuery] = useState("");
  const menu = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const current = useCurrentSection(groups);
  useSlash(() => {
    if (menu.current?.checkVisibility() === false) menu.current.showPopover();
    field.current?.focus();
    field.current?.select();
  });

  const found = searchReference(groups, query);
  const count = found.reduce((sum, { entries }) => sum + entries.length, 0);
  const leave = () => {
    if (menu.current?.matches(":popover-open")) menu.current.hidePopover();
  };
  const moveOrOpen = (event: KeyboardEvent) => {
    const links = [...(menu.current?.querySelectorAll<HTMLAnchorElement>("a[href^='#']") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) (links[at + step] ?? field.current)?.focus();
    else if (event.key === "Enter" && event.target === field.current) links[0]?.click();
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="sticky top-0 z-10 -mx-4 border-b bg-background px-4 py-2 sm:-mx-6 sm:px-6 lg:hidden print:hidden">
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
        onKeyDown={moveOrOpen}
        className="fixed inset-x-4 top-4 bottom-4 m-0 h-auto w-auto overflow-y-auto rounded-base border bg-card p-4 text-foreground backdrop:bg-black/50 lg:sticky lg:inset-auto lg:top-0 lg:block lg:max-h-dvh lg:w-full lg:self-start lg:rounded-none lg:border-0 lg:bg-transparent lg:px-1 lg:py-8 print:hidden"
      >
        <div className="relative">
          <Search aria-hidden className="absolute top-3 left-3 size-4 text-muted-foreground" />
          <input
            ref={field}
            type="search"
            aria-label="Search the reference"
            aria-keyshortcuts="/"
            placeholder="Search"
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={({ currentTarget }) => setQuery(currentTarget.value)}
            className={classNames(FIELD_CLASS, "peer min-h-10 pl-9 text-sm")}
          />
          <kbd className="absolute top-2 right-2 hidden rounded-base border bg-card px-2 font-mono text-muted-foreground text-sm lg:block peer-focus:hidden">
            /
          </kbd>
        </div>
        <p
          role="status"
          className={classNames("mt-2 text-muted-foreground text-sm", query === "" && "sr-only")}
        >
          {query !== "" && (count === 1 ? "1 place" : `${count} places`)}
        </p>
        {count === 0 && (
          <p className="mt-2 text-sm">
            Nothing here has that. Try the name of a field or an error, or look in{" "}
            <a href="/docs" className="underline underline-offset-4 hover:no-underline">
              the guides
            </a>
            .
          </p>
        )}
        {found.map(({ title, entries }) => (
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
    </>
  );
}

function EntryLink({
  entry: { id, name, term },
  current,
  onClick,
}: {
  entry: FoundEntry;
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
      className={classNames(
        "block border-l-2 py-2 pl-3 text-sm hover:text-foreground lg:py-1",
        current ? "border-primary font-semibold text-foreground" : "border-transparent text-muted-foreground",
      )}
    >
      {name}
      {term && <span className="wrap-anywhere block font-mono">{term}</span>}
    </a>
  );
}

/** Calls `go` when `/` is pressed anywhere but in a field. */
function useSlash(go: () => void): void {
  const latest = useRef(go);
  latest.current = go;
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const { target } = event;
      const typing =
        target instanceof HTMLElement &&
        (target.isContentEditable || target.closest("input, textarea, select"));
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** Below a sticky bar, down to a third of the window: what stands there is being read. */
const READ_BAND = "-80px 0px -66% 0px";

/** The entry whose section the reader is at; null above the first. */
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
        setCurrentId((before) => ids.find((id) => inBand.has(id)) ?? before);
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
