import { ShieldAlert, ShieldCheck, ShieldX } from "lucide-react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { classNames } from "#components/ui/class-names.ts";

/** How the account would survive the loss of a device, and the one thing to do about it. */
export type Health = {
  tone: "success" | "warning" | "danger";
  title: string;
  text: string;
  /** Null when there is nothing to do, or nothing that would help. */
  action: { href: string; label: string; download?: boolean } | null;
};

const LOOKS = {
  success: { Icon: ShieldCheck, strip: "border-success/30 bg-success-surface", icon: "text-success" },
  warning: { Icon: ShieldAlert, strip: "border-warning/40 bg-warning-surface", icon: "text-warning" },
  danger: { Icon: ShieldX, strip: "border-danger/50 bg-danger-surface", icon: "text-danger" },
} as const;

export function AccountHealth({ health: { tone, title, text, action } }: { health: Health }) {
  const { Icon, strip, icon } = LOOKS[tone];
  return (
    <section
      aria-labelledby="health"
      className={classNames(
        "flex flex-wrap items-center gap-x-4 gap-y-3 rounded-base border p-4 sm:px-6",
        strip,
      )}
    >
      <Icon aria-hidden className={classNames("size-7 shrink-0", icon)} strokeWidth={1.75} />
      <div className="min-w-0 grow basis-60">
        <h2 id="health" className="font-semibold">
          {title}
        </h2>
        <p className="text-sm">{text}</p>
      </div>
      {action && (
        <ButtonLink variant="primary" href={action.href} download={action.download}>
          {action.label}
        </ButtonLink>
      )}
    </section>
  );
}
