import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { classNames } from "./class-names.ts";

export type NoticeTone = "info" | "success" | "warning" | "danger";

const LOOKS = {
  info: { Icon: Info, className: "text-primary" },
  success: { Icon: CircleCheck, className: "text-success" },
  warning: { Icon: TriangleAlert, className: "text-warning" },
  danger: { Icon: CircleAlert, className: "text-danger" },
} as const;

/** A boxed remark of one or two sentences, with what to do next. */
export function Notice({
  tone = "info",
  children,
  className,
  ...rest
}: React.ComponentProps<"div"> & { tone?: NoticeTone }) {
  const { Icon, className: color } = LOOKS[tone];
  return (
    <div
      className={classNames("flex gap-3 rounded-base border bg-card p-3 text-sm sm:p-4", className)}
      {...rest}
    >
      <Icon aria-hidden className={classNames("mt-0.5 size-4 shrink-0", color)} />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
