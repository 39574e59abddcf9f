import { ButtonLink } from "#packages/react/ui/button-look.tsx";

type ListNavProps = {
  path: string;
  query: Record<string, string>;
};

const linkTo = (path: string, query: Record<string, string>) => {
  const search = new URLSearchParams(query).toString();
  return search === "" ? path : `${path}?${search}`;
};

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function FilterNav({
  path,
  query: { cursor, ...query },
  parameter,
  values,
}: ListNavProps & { parameter: string; values: string[] }) {
  const { [parameter]: chosen, ...others } = query;
  return (
    <nav aria-label={capitalize(parameter)} className="-mx-2 mb-2 flex flex-wrap">
      {[undefined, ...values].map((value) => (
        <a
          key={value ?? "all"}
          href={linkTo(path, { ...others, ...(value && { [parameter]: value }) })}
          aria-current={value === chosen ? "true" : undefined}
          className="flex min-h-9 items-center rounded-base px-2 text-muted-foreground text-sm underline-offset-4 hover:underline aria-[current]:font-semibold aria-[current]:text-foreground"
        >
          {capitalize(value ?? "all")}
        </a>
      ))}
    </nav>
  );
}

export function Pager({
  path,
  query: { cursor, ...query },
  next,
}: ListNavProps & {
  /** A cursor, or null on the last page. */
  next: string | null;
}) {
  if (cursor === undefined && next === null) return null;
  return (
    <nav aria-label="Pages" className="flex flex-wrap gap-3 border-t pt-4">
      {cursor !== undefined && (
        <ButtonLink size="small" href={linkTo(path, query)}>
          Newest
        </ButtonLink>
      )}
      {next !== null && (
        <ButtonLink size="small" href={linkTo(path, { ...query, cursor: next })}>
          Older
        </ButtonLink>
      )}
    </nav>
  );
}
