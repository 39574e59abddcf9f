import { classNames } from "#components/ui/class-names.ts";

/** The column that every page's content stands in. */
export function Container({ className, children }: { className?: string; children: React.ReactNode }) {
  return (
    <div className={classNames("mx-auto w-full max-w-5xl px-4 py-8 sm:px-6 sm:py-12", className)}>
      {children}
    </div>
  );
}
