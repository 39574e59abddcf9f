import { classNames } from "#components/ui/class-names.ts";
import { ExactTime } from "./exact-time.tsx";

export type TimelineItem = {
  key: string;
  /** ISO 8601. */
  at: string;
  /** What happened, in words. */
  what: string;
  detail: string | null;
  tone: "neutral" | "success" | "danger";
};

const TONES = {
  neutral: "bg-muted-foreground",
  success: "bg-success",
  danger: "bg-danger",
} as const;

/** What happened to a login and when: the time of day, and the milliseconds since it began. */
export function SessionTimeline({ items }: { items: TimelineItem[] }) {
  const start = Date.parse(items[0]?.at ?? "");
  return (
    <ol className="border-t">
      {items.map(({ key, at, what, detail, tone }) => (
        <li
          key={key}
          className="grid grid-cols-[0.75rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 border-b py-3 last:border-b-0 last:pb-0 sm:grid-cols-[0.75rem_minmax(0,1fr)_auto_7rem]"
        >
          <span aria-hidden className={classNames("size-2 rounded-base", TONES[tone])} />
          <p>
            {what}
            {detail && <span className="wrap-anywhere block text-muted-foreground text-sm">{detail}</span>}
          </p>
          <div className="col-start-2 flex flex-wrap gap-x-4 text-muted-foreground sm:contents">
            <ExactTime iso={at} />
            <span className="whitespace-nowrap font-mono text-sm tabular-nums sm:text-right">
              +{(Date.parse(at) - start).toLocaleString("en-GB")} ms
            </span>
          </div>
        </li>
      ))}
    </ol>
  );
}
