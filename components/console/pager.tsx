import { ButtonLink } from "#components/ui/button-link.tsx";

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
