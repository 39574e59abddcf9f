import { ArrowRight } from "lucide-react";

/** One thing to try, as a list item; the whole card is the link. */
export function FlowCard({
  href,
  title,
  children,
}: {
  href: string;
  title: string;
  children: React.ReactNode;
}) {
  return (
    <li className="relative rounded-base border bg-card p-4 hover:bg-muted">
      <h3 className="flex items-center justify-between gap-3 font-semibold">
        <a href={href} className="after:absolute after:inset-0 after:rounded-base">
          {title}
        </a>
        <ArrowRight aria-hidden className="size-4 shrink-0 text-primary" />
      </h3>
      <p className="mt-1 text-muted-foreground text-sm">{children}</p>
    </li>
  );
}
