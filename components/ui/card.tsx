import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** A bordered surface. Padding follows the width of the screen. */
export function Card({ className, ...rest }: ComponentProps<"section">) {
  return <section className={classNames("rounded-base border bg-card p-4 sm:p-6", className)} {...rest} />;
}

/** A card's heading with an optional line under it and actions beside it. */
export function CardHeader({
  title,
  id,
  children,
  actions,
}: {
  title: string;
  id?: string;
  children?: React.ReactNode;
  actions?: React.ReactNode;
}) {
  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0">
        <h2 id={id} className="font-semibold text-lg">
          {title}
        </h2>
        {children && <p className="text-muted-foreground text-sm">{children}</p>}
      </div>
      {actions}
    </header>
  );
}
