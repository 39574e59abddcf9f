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
