import { type ParseOptions, parse, type TokenType } from "sugar-high/core";
import * as json from "sugar-high/lang/json";
import { CopyButton } from "#packages/react/ui/copy-button.tsx";

/**
 * Long lines scroll: wrapping would put a trailing backslash on its own line.
 * @param children the same text, coloured or indented
 */
export function CodeBlock({
  code,
  label,
  actions,
  children = code,
}: {
  code: string;
  label: string;
  /** Shown before the copy button. */
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

/** Code uses the page's own colour tokens, so it follows the theme and keeps its contrast. */
const COLOURS: Partial<Record<TokenType, string>> = {
  keyword: "text-primary",
  entity: "text-primary",
  string: "text-success",
  property: "font-semibold",
  comment: "text-muted-foreground",
};

/** React escapes each part, so code cannot inject markup. */
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

  /** Joins adjacent parts of the same colour, because each part makes the page larger. */
  function add(text: string, colour: string | undefined) {
    const last = pieces.at(-1);
    if (last && last.colour === colour) last.text += text;
    else pieces.push({ text, colour });
  }
}

/** Returns text that is not JSON unchanged. */
export function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The JSON can follow a request's header lines. */
export function ColouredJson({ code }: { code: string }) {
  const body = Math.max(code.search(/^[[{]/m), 0);
  return (
    <>
      {code.slice(0, body)}
      <ColouredCode code={code.slice(body)} grammar={json as ParseOptions} />
    </>
  );
}
