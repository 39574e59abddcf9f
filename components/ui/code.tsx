import { type ParseOptions, parse, type TokenType } from "sugar-high/core";
import * as json from "sugar-high/lang/json";
import { CopyButton } from "#packages/react/ui/copy-button.tsx";

/**
 * Text for a terminal or a file, with a button that copies it. A long line scrolls, because wrapping would put a
 * trailing backslash on a separate line.
 * @param children the same text as it is displayed, coloured or indented
 */
export function CodeBlock({
  code,
  label,
  actions,
  children = code,
}: {
  code: string;
  label: string;
  /** Shown in front of the button. */
  actions?: React.ReactNode;
  children?: React.ReactNode;
}) {
  return (
    <figure className="overflow-hidden rounded-base border bg-card">
      <figcaption className="flex min-h-12 items-center justify-between gap-3 border-b px-3 py-1 text-muted-foreground text-sm">
        <span className="wrap-anywhere min-w-0">{label}</span>
        <span className="flex shrink-0 items-center gap-2">
          {actions}
          <CopyButton text={code} iconOnly>
            Copy
          </CopyButton>
        </span>
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must also scroll by keyboard
        tabIndex={0}
        className="overflow-x-auto bg-muted p-3 font-mono text-sm focus-visible:-outline-offset-2 print:whitespace-pre-wrap"
      >
        {children}
      </pre>
    </figure>
  );
}

/** The colours of code are the page's own tokens, so they follow the colour scheme and keep their contrast. */
const COLOURS: Partial<Record<TokenType, string>> = {
  keyword: "text-primary",
  entity: "text-primary",
  string: "text-success",
  property: "font-semibold",
  comment: "text-muted-foreground",
};

/**
 * Code with its strings, keywords and comments in colours. React renders every piece, so nothing in it can become
 * markup.
 */
export function ColouredCode({ code, grammar }: { code: string; grammar: ParseOptions }) {
  const pieces: { text: string; colour: string | undefined }[] = [];
  for (const [index, { tokens }] of parse(code, grammar).lines.entries()) {
    if (index > 0) add("\n", undefined);
    for (const { type, value } of tokens) add(value, COLOURS[type]);
  }
  return pieces.map(({ text, colour }, index) =>
    colour ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces never change their order
      <span key={index} className={colour}>
        {text}
      </span>
    ) : (
      text
    ),
  );

  /**
   * Joins neighbours of the same colour into one piece, because each piece costs a comment or an element in the page.
   */
  function add(text: string, colour: string | undefined) {
    const last = pieces.at(-1);
    if (last && last.colour === colour) last.text += text;
    else pieces.push({ text, colour });
  }
}

/** Indented JSON; any other text unchanged. */
export function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** JSON in colours, after a request's header lines if there are any. */
export function ColouredJson({ code }: { code: string }) {
  const body = Math.max(code.search(/^[[{]/m), 0);
  return (
    <>
      {code.slice(0, body)}
      <ColouredCode code={code.slice(body)} grammar={json as ParseOptions} />
    </>
  );
}
