import type { ComponentProps } from "react";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { ChevronRight } from "#packages/react/ui/icons.tsx";

export function Summary({ children, className }: { children: React.ReactNode; className?: string }) {
  return (
    <summary
      className={joinClassNames(
        "flex cursor-pointer list-none items-center gap-1.5 rounded-base text-sm underline-offset-4 hover:underline [&::-webkit-details-marker]:hidden",
        className,
      )}
    >
      <ChevronRight
        aria-hidden
        className="size-4 shrink-0 motion-safe:transition-transform [details[open]>summary>&]:rotate-90"
      />
      {children}
    </summary>
  );
}

export function Disclosure({ summary, children, ...rest }: ComponentProps<"details"> & { summary: string }) {
  return (
    <details className="mt-4 border-t pt-2" {...rest}>
      <Summary className="min-h-11">{summary}</Summary>
      {children}
    </details>
  );
}

/** On a phone, each value is below its name. */
export function Facts({ children }: { children: React.ReactNode }) {
  return <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="contents">
      <dt className="-mb-3 text-muted-foreground sm:mb-0">{name}</dt>
      <dd className="wrap-anywhere min-w-0">{children}</dd>
    </div>
  );
}
