import type { Metadata } from "next";
import { SearchResults } from "#components/docs/docs-search.tsx";
import { GuidePage } from "#components/docs/guide-page.tsx";
import { buttonClass } from "#packages/react/ui/button-look.tsx";
import { TEXT_FIELD_CLASS } from "#packages/react/ui/text-field.tsx";
import { listGuideGroups, searchDocumentation } from "../documentation.ts";

export const metadata: Metadata = { title: "Search the documentation" };

/** Works without a script. */
export default async function SearchPage({ searchParams }: PageProps<"/docs/search">) {
  const query = String((await searchParams).q ?? "").trim();
  const results = await searchDocumentation(query);
  return (
    <GuidePage
      title="Search the documentation"
      groups={await listGuideGroups()}
      current="/docs/search"
      headings={[]}
    >
      <search>
        <form action="/docs/search" className="mt-6 flex max-w-prose gap-2">
          <input
            type="search"
            name="q"
            aria-label="Search the documentation"
            defaultValue={query}
            maxLength={100}
            className={`${TEXT_FIELD_CLASS} min-h-11`}
          />
          <button type="submit" className={buttonClass({ variant: "primary" })}>
            Search
          </button>
        </form>
      </search>
      <div className="mt-4 max-w-prose">
        <SearchResults query={query} results={results} />
      </div>
    </GuidePage>
  );
}
