import type { ComponentProps } from "react";
import { joinClassNames } from "#packages/react/ui/button-look.tsx";
import { Lock } from "#packages/react/ui/icons.tsx";

/** On a narrow screen, the phone is below the browser. */
export const STAGE_CLASS =
  "relative grid items-start gap-y-6 md:grid-cols-[minmax(0,1fr)_18.5rem] md:*:first:min-h-180 md:*:last:mt-10 md:*:last:-ml-6";

export function BrowserFrame({
  address,
  className,
  children,
}: {
  address: string;
  className?: string;
  children: React.ReactNode;
}) {
  return (
    <div
      className={joinClassNames(
        // Leaves room for the phone, which covers the right edge of the page.
        "flex flex-col overflow-hidden rounded-base border bg-card md:*:last:pr-12 shadow-[0_30px_60px_-30px_rgb(15_23_42/0.35)] dark:shadow-none",
        className,
      )}
    >
      <div aria-hidden className="flex items-center gap-3 border-b bg-muted px-4 py-2.5">
        <span className="flex gap-1.5 *:size-2.5 *:rounded-full *:bg-input/50">
          <span />
          <span />
          <span />
        </span>
        <span className="mx-auto flex min-w-0 items-center gap-1.5 rounded-base border bg-card px-3 py-0.5 text-muted-foreground text-sm">
          <Lock className="size-3 shrink-0" />
          <span className="truncate">{address}</span>
        </span>
        <span className="w-10" />
      </div>
      {children}
    </div>
  );
}

export function PhoneFrame({ className, children, ...rest }: ComponentProps<"section">) {
  return (
    <section
      className={joinClassNames(
        "relative flex w-full max-w-80 flex-col rounded-[2.5rem] border-[0.5rem] border-[light-dark(#1d1f24,#3a3e46)] bg-card shadow-[0_30px_60px_-25px_rgb(15_23_42/0.5)] dark:shadow-none",
        className,
      )}
      {...rest}
    >
      <div
        aria-hidden
        className="mx-auto mt-2 h-5 w-20 shrink-0 rounded-full bg-[light-dark(#1d1f24,#3a3e46)]"
      />
      <div className="grow px-4 pt-3 pb-2">{children}</div>
      <div aria-hidden className="mx-auto mb-2 h-1 w-24 rounded-full bg-border" />
    </section>
  );
}

/** Data that moves between the phone and the page. `className` sets the direction. */
export function Message({ className, children }: { className: string; children: string }) {
  return (
    <p
      aria-hidden
      className={joinClassNames(
        "pointer-events-none absolute z-20 max-w-56 truncate rounded-full bg-primary px-3 py-1 font-mono text-primary-foreground text-sm opacity-0 motion-reduce:hidden print:hidden",
        className,
      )}
    >
      {children}
    </p>
  );
}
