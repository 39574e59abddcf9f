import { CopyButton } from "./copy-button.tsx";

/** Text to be copied into a terminal or a file, with a button that does it. Lines wrap: nothing is cut off. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <figure className="grid gap-2 rounded-base border bg-muted p-3">
      <figcaption className="flex flex-wrap items-center justify-between gap-2 text-muted-foreground text-sm">
        {label}
        <CopyButton text={code} size="small">
          Copy
        </CopyButton>
      </figcaption>
      <pre className="wrap-anywhere whitespace-pre-wrap font-mono text-sm">{code}</pre>
    </figure>
  );
}
