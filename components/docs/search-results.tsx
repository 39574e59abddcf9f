import type { FoundPlace } from "#lib/guides/search-guides.ts";

/** What a search found, as links. The number of places is said to screen readers as it changes. */
export function SearchResults({ query, results }: { query: string; results: readonly FoundPlace[] }) {
  return (
    <>
      <p role="status" className="text-muted-foreground text-sm not-empty:pt-3">
        {query !== "" && (results.length === 1 ? "1 place" : `${results.length} places`)}
      </p>
      {query !== "" && results.length === 0 && (
        <p className="py-3">
          Nothing here has all of these words. Try fewer, or the text of an error, a field, a path.
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
