import { CopyButton } from "./copy-button.tsx";

/**
 * Text to be copied into a terminal or a file, with a button that does it. A long line scrolls: wrapped, a backslash at its end
 * would stand on a line of its own.
 * @param children the same text as it is shown: coloured, or indented
 */
export function CodeBlock({
  code,
  label,
  actions,
  children = code,
}: {
  code: string;
  label: string;
  /** Stands before the button. */
  actions?: React.ReactNode;
  children?: React.ReactNode;
}) {
  return (
    <figure className="overflow-hidden rounded-base border bg-card">
      <figcaption className="flex min-h-12 items-center justify-between gap-3 border-b px-3 py-1 text-muted-foreground text-sm">
        <span className="wrap-anywhere min-w-0">{label}</span>
        <span className="flex shrink-0 items-center gap-2">
          {actions}
          <CopyButton text={code} size="small">
            Copy
          </CopyButton>
        </span>
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to scroll by the keyboard too
        tabIndex={0}
        className="overflow-x-auto bg-muted p-3 font-mono text-sm focus-visible:-outline-offset-2 print:whitespace-pre-wrap"
      >
        {children}
      </pre>
    </figure>
  );
}
