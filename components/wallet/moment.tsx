const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A point in time (ms since the epoch) by the clock and language of this browser. */
export function Moment({ at, className }: { at: number; className?: string }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} className={className}>
      {FORMAT.format(date)}
    </time>
  );
}
