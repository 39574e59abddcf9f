/** What only a script can do. Without JavaScript the same place says so, and why. */
export function NeedsScript({
  title,
  why,
  className,
  children,
}: {
  title: string;
  why: string;
  className?: string;
  children: React.ReactNode;
}) {
  return (
    <>
      <div data-needs-script className={className}>
        {children}
      </div>
      <noscript>
        <style>{"[data-needs-script]{display:none}"}</style>
        <div className="rounded-base border bg-card p-6 text-center">
          <p className="font-semibold text-lg">{title}</p>
          <p className="mt-2 text-muted-foreground text-sm">{why}</p>
        </div>
      </noscript>
    </>
  );
}
