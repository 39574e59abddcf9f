import { CircleCheck, Info, OctagonAlert, ShieldX, TriangleAlert } from "lucide-react";
import { classNames } from "./class-names.ts";

/** `blocked` is for an attack that was stopped: nothing else on a page looks like it. */
type NoticeTone = "info" | "success" | "warning" | "danger" | "blocked";

const LOOKS = {
  info: { Icon: Info, box: "border-primary/25 bg-info-surface", icon: "text-primary" },
  success: { Icon: CircleCheck, box: "border-success/30 bg-success-surface", icon: "text-success" },
  warning: { Icon: TriangleAlert, box: "border-warning/40 bg-warning-surface", icon: "text-warning" },
  danger: { Icon: OctagonAlert, box: "border-danger/50 bg-danger-surface", icon: "text-danger" },
  blocked: { Icon: ShieldX, box: "border-danger bg-danger text-card", icon: "" },
} as const;

/** A boxed remark of one or two sentences, with what to do next. The more it matters, the more it stands out. */
export function Notice({
  tone = "info",
  title,
  children,
  className,
  ...rest
}: Omit<React.ComponentProps<"div">, "title"> & { tone?: NoticeTone; title?: string }) {
  const { Icon, box, icon } = LOOKS[tone];
  return (
    <div
      className={classNames("flex gap-3 rounded-base border p-3 text-sm sm:p-4", box, className)}
      {...rest}
    >
      <Icon aria-hidden className={classNames("size-5 shrink-0", icon)} />
      <div className="min-w-0 grow">
        {title && <p className="mb-1 font-semibold text-base leading-5">{title}</p>}
        {children}
      </div>
    </div>
  );
}

/** Why what was asked for did not happen, beside what asked for it: read aloud when it appears. */
export function Problem({ children, className }: { children: React.ReactNode; className?: string }) {
  return (
    <span role="status" className={classNames("text-danger text-sm empty:absolute", className)}>
      {children}
    </span>
  );
}
