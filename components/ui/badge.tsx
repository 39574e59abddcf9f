import { classNames } from "./class-names.ts";

export type BadgeTone = "neutral" | "success" | "warning" | "danger";

const TONES: Record<BadgeTone, string> = {
  neutral: "text-muted-foreground",
  success: "text-success",
  warning: "text-warning",
  danger: "text-danger",
};

/** A short fact beside a name or in a table. The words carry the meaning, the tone only repeats it. */
export function Badge({ tone = "neutral", children }: { tone?: BadgeTone; children: React.ReactNode }) {
  return (
    <span
      className={classNames(
        "inline-flex items-center gap-1 whitespace-nowrap rounded-base border px-2 text-sm",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}
