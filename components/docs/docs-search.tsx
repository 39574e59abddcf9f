"use client";

import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import useSWR from "swr";
import type { SearchResult } from "#lib/guides/search-guides.ts";
import { fetchJsonOrThrow } from "#packages/login/client/fetch-json.ts";
import { Search } from "#packages/react/ui/icons.tsx";
import { TEXT_FIELD_CLASS } from "#packages/react/ui/text-field.tsx";

/**
 * `/` or Ctrl-K opens the search, and the arrow keys select a result. Until the script runs, the button is a link to
 * the search page.
 */
export function DocsSearch() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState("");
  const { results, error } = useResults(query.trim());
  const open = () => {
    if (dialog.current?.open) return;
    dialog.current?.showModal();
    dialog.current?.querySelector("input")?.select();
  };
  useShortcut(open);

  const handleKey = (event: KeyboardEvent<HTMLDialogElement>) => {
    const links = [...event.currentTarget.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) (links[at + step] ?? event.currentTarget.querySelector("input"))?.focus();
    else if (event.key === "Enter" && at < 0) links[0]?.click();
    // By default, Escape only clears the search field.
    else if (event.key === "Escape") event.currentTarget.close();
    else return;
    event.preventDefault();
  };

  return (
    <>
      <a
        href="/docs/search"
        aria-keyshortcuts="/ Control+K Meta+K"
        onClick={(event) => {
          event.preventDefault();
          open();
        }}
        className="flex min-h-11 w-full items-center gap-2 rounded-base border border-input bg-card px-3 text-muted-foreground text-sm hover:text-foreground lg:min-h-10"
      >
        <Search aria-hidden className="size-4 shrink-0" />
        <span className="grow">Search the docs</span>
        <kbd aria-hidden className="hidden rounded-base border px-2 font-mono lg:block">
          /
        </kbd>
      </a>
      <dialog
        ref={dialog}
        aria-label="Search the documentation"
        onKeyDown={handleKey}
        onClick={(event) => {
          // Closes the dialog after a click on the backdrop or on a result, because a result might be on the current
          // page.
          const { target } = event;
          if (target === event.currentTarget || (target instanceof Element && target.closest("a")))
            event.currentTarget.close();
        }}
        className="mx-auto mt-[10vh] mb-auto max-h-[80vh] w-[calc(100%-2rem)] max-w-xl overflow-hidden rounded-base border bg-card p-0 text-foreground backdrop:bg-black/50"
      >
        <div className="flex max-h-[80vh] flex-col">
          <div className="border-b p-3">
            <input
              type="search"
              aria-label="Search the documentation"
              placeholder="An error, a field, a path or a word"
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              value={query}
              onChange={({ currentTarget }) => setQuery(currentTarget.value)}
              className={`${TEXT_FIELD_CLASS} min-h-11`}
            />
          </div>
          <div className="overflow-y-auto px-6">
            {error ? (
              <p role="alert" className="py-3">
                The search is not responding. Try again in a moment.
              </p>
            ) : (
              <>
                {query !== "" && !results && <p className="py-3 text-muted-foreground text-sm">Searching…</p>}
                <SearchResults query={results ? query.trim() : ""} results={results ?? []} />
              </>
            )}
          </div>
        </div>
      </dialog>
    </>
  );
}

const TYPING_PAUSE_MS = 120;

/** Searches when the reader pauses while typing. Until then, returns the previous results. */
function useResults(typed: string): { results: SearchResult[] | undefined; error: boolean } {
  const [query, setQuery] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, error } = useSWR<{ results: SearchResult[] }>(
    query === "" ? null : `/docs/search/results?${new URLSearchParams({ q: query })}`,
    fetchJsonOrThrow,
    {
      keepPreviousData: true,
      revalidateOnFocus: false,
      revalidateOnReconnect: false,
      shouldRetryOnError: false,
    },
  );
  return { results: typed === "" ? undefined : data?.results, error: error !== undefined };
}

/** Reacts to Ctrl-K, and to `/` unless a text field has the focus. */
function useShortcut(go: () => void): void {
  const onShortcut = useEffectEvent(go);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const typing =
        target instanceof HTMLElement &&
        (target.isContentEditable || target.closest("input, textarea, select"));
      const isSlash = key === "/" && !ctrlKey && !metaKey && !altKey && !typing;
      const isK = key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey;
      if (!isSlash && !isK) return;
      event.preventDefault();
      onShortcut();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** Screen readers announce the number of results whenever it changes. */
export function SearchResults({ query, results }: { query: string; results: readonly SearchResult[] }) {
  return (
    <>
      <p role="status" className="text-muted-foreground text-sm not-empty:pt-3">
        {query !== "" && (results.length === 1 ? "1 result" : `${results.length} results`)}
      </p>
      {query !== "" && results.length === 0 && (
        <p className="py-3">
          No page contains all of these words. Try fewer words, or search for an error message, a field or a
          path.
        </p>
      )}
      <ul className="-mx-3 not-empty:py-3">
        {results.map(({ href, page, heading, excerpt }) => (
          <li key={href}>
            <a href={href} className="block rounded-base px-3 py-2 hover:bg-muted focus:bg-muted">
              <span className="wrap-anywhere block font-semibold">
                {heading || page}
                {heading && <span className="font-normal text-muted-foreground text-sm"> · {page}</span>}
              </span>
              <span className="wrap-anywhere line-clamp-2 text-muted-foreground text-sm">
                {excerpt.map(({ text, matches }, index) =>
                  matches ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces never change their order
                    <mark key={index} className="bg-transparent font-semibold text-foreground">
                      {text}
                    </mark>
                  ) : (
                    text
                  ),
                )}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
