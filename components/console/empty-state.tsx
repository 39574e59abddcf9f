/** What stands where a list will be: what it will show, and the first step to it. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children: React.ReactNode;
  action?: React.ReactNode;
}) {
  return (
    <div className="grid justify-items-start gap-3 border-t pt-4">
      <div>
        <p className="font-semibold">{title}</p>
        <p className="max-w-prose text-muted-foreground text-sm">{children}</p>
      </div>
      {action}
    </div>
  );
}
