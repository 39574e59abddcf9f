import type { ComponentProps } from "react";

/** Details for people who want to know more. */
export function Disclosure({ summary, children, ...rest }: ComponentProps<"details"> & { summary: string }) {
  return (
    <details className="mt-4 border-t pt-2" {...rest}>
      <summary className="flex min-h-11 cursor-pointer items-center rounded-base text-sm underline underline-offset-4">
        {summary}
      </summary>
      {children}
    </details>
  );
}

/** Names and values, one under the other on a phone. */
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
