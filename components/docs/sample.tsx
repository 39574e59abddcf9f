/** A piece of a conversation with the API, under its title. Lines wrap: nothing is cut off. */
export function Sample({ title, code, actions }: { title: string; code: string; actions?: React.ReactNode }) {
  return (
    <figure className="overflow-hidden rounded-base border bg-card">
      <figcaption className="flex min-h-12 items-center justify-between gap-3 border-b px-3 py-1 text-muted-foreground text-sm">
        <span className="wrap-anywhere min-w-0">{title}</span>
        {actions && <span className="flex shrink-0 items-center gap-2">{actions}</span>}
      </figcaption>
      <pre className="wrap-anywhere whitespace-pre-wrap bg-muted p-3 font-mono text-sm">{code}</pre>
    </figure>
  );
}
