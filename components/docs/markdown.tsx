import type { Token, Tokens } from "marked";
import type { Picture, TabbedCode } from "#lib/guides/parse-guide.ts";
import { TextLink } from "#packages/react/ui/elements.tsx";
import { CodeSample } from "./code-sample.tsx";
import { CodeTabs } from "./code-tabs.tsx";

/** Null if the site does not show the linked file. */
type ResolveLink = (href: string) => string | null;

/**
 * HTML in the Markdown is omitted and React escapes all text, so a file cannot inject markup.
 * @param anchors the headings' anchors, in order
 */
export function Markdown({
  blocks,
  anchors,
  resolveLink,
}: {
  blocks: readonly Token[];
  anchors: readonly string[];
  resolveLink: ResolveLink;
}) {
  let heading = 0;
  const visibleBlocks = blocks.filter(({ type }) => type !== "space");
  return visibleBlocks.map((block, index) => {
    const anchor = block.type === "heading" ? anchors[heading++] : undefined;
    // A line with a file name becomes the label of the code sample below it.
    if (visibleBlocks[index + 1]?.type === "code" && fileNamedBy(block)) return null;
    const label = block.type === "code" ? fileNamedBy(visibleBlocks[index - 1]) : undefined;
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks never change their order
    return <Block key={index} block={block} anchor={anchor} label={label} resolveLink={resolveLink} />;
  });
}

/** Returns the file name if the line consists only of a path and a colon, optionally with ", added" between them. */
function fileNamedBy(block: Token | undefined): string | undefined {
  const [, path, added] = (block?.type === "paragraph" && block.raw.match(/^`([^`]+)`(, added)?:\s*$/)) || [];
  return path && path + (added ?? "");
}

function Block({
  block,
  anchor,
  label,
  resolveLink,
}: {
  block: Token;
  anchor?: string;
  /** Replaces the language as the code sample's label. */
  label?: string;
  resolveLink: ResolveLink;
}) {
  const inline = (tokens: readonly Token[] = []) => inlineOf(tokens, resolveLink);
  switch (block.type) {
    case "heading": {
      const Heading = block.depth === 2 ? "h2" : "h3";
      return (
        <Heading id={anchor} className={HEADING_CLASSES[Heading]}>
          <a href={`#${anchor}`} className="underline-offset-4 hover:underline">
            {inline(block.tokens)}
          </a>
        </Heading>
      );
    }
    case "paragraph":
      if (block.tokens?.every(({ type }) => type === "image")) return inline(block.tokens);
      return (
        <p id={anchorIn(block.raw)} className="wrap-anywhere mt-4 max-w-prose scroll-mt-6">
          {inline(block.tokens)}
        </p>
      );
    case "text":
      return inline(block.tokens);
    case "list":
      return <List list={block as Tokens.List} resolveLink={resolveLink} />;
    case "table":
      return <Table table={block as Tokens.Table} resolveLink={resolveLink} />;
    case "code":
      return (
        <div className="mt-4">
          <CodeSample language={block.lang} code={block.text} label={label} />
        </div>
      );
    case "tabs": {
      const tabs = (block as TabbedCode).tabs.map(({ name, code: { lang, text } }) => ({
        name,
        sample: <CodeSample language={lang} code={text} />,
      }));
      return <CodeTabs tabs={tabs} />;
    }
    case "blockquote":
      return (
        <blockquote className="mt-4 border-l-2 pl-4">
          <Markdown blocks={block.tokens ?? []} anchors={[]} resolveLink={resolveLink} />
        </blockquote>
      );
    default:
      return null;
  }
}

const HEADING_CLASSES = {
  h2: "mt-12 scroll-mt-6 border-t pt-6 font-semibold text-lg",
  h3: "mt-8 scroll-mt-6 font-semibold",
} as const;

/** `<a id="…"></a>` is the only HTML that is not ignored. */
function anchorIn(text: string | undefined): string | undefined {
  return text?.match(/^<a id="([\w-]+)"><\/a>/)?.[1];
}

function List({ list, resolveLink }: { list: Tokens.List; resolveLink: ResolveLink }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items never change their order
    <li key={index} className="wrap-anywhere mt-1 pl-1">
      <Markdown blocks={item.tokens} anchors={[]} resolveLink={resolveLink} />
    </li>
  ));
  const className = "mt-4 max-w-prose pl-6 marker:text-muted-foreground [li_&]:mt-1";
  return list.ordered ? (
    <ol start={Number(list.start)} className={`${className} list-decimal`}>
      {items}
    </ol>
  ) : (
    <ul className={`${className} list-disc`}>{items}</ul>
  );
}

function Table({ table, resolveLink }: { table: Tokens.Table; resolveLink: ResolveLink }) {
  const titles = table.header.map(({ text }) => text).filter((text) => text !== "");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div
      role="group"
      aria-label={`Table: ${titles.join(", ")}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an element that scrolls sideways must be reachable by keyboard
      tabIndex={0}
      className="mt-4 overflow-x-auto rounded-base border bg-card"
    >
      <table className="w-full text-sm">
        <thead>
          <tr className="text-left">
            {table.header.map(({ text, tokens }) =>
              text === "" ? (
                // An empty cell in the corner of a table is not a heading.
                <td key={text} />
              ) : (
                <th key={text} className="px-3 py-2 align-bottom font-semibold">
                  {inlineOf(tokens, resolveLink)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((cells) => (
            <tr
              key={cells.map(({ text }) => text).join("|")}
              id={anchorIn(cells[0]?.text)}
              className="border-t"
            >
              {cells.map(({ tokens }, column) => (
                <td key={table.header[column]?.text} className="min-w-32 px-3 py-2 align-top">
                  {inlineOf(tokens, resolveLink)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Scrolls sideways if it would otherwise be too small to read. */
function Drawing({ picture, src }: { picture: Picture; src: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div
      role="group"
      aria-label="Diagram"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an element that scrolls sideways must be reachable by keyboard
      tabIndex={0}
      className="mt-6 overflow-x-auto rounded-base border bg-card p-4"
    >
      {/* biome-ignore lint/performance/noImgElement: it is one of our drawings, which cannot be optimised further */}
      <img
        src={src}
        alt={picture.text}
        width={picture.width}
        height={picture.height}
        className={`mx-auto h-auto w-full max-w-2xl ${Number(picture.width) > 700 ? "min-w-160" : "min-w-120"}`}
      />
    </div>
  );
}

/** The browser loads only the screenshot in the reader's colour scheme. */
function Screenshot({ picture, light, dark }: { picture: Picture; light: string; dark: string }) {
  const { text: alt, width, height } = picture;
  const image = (src: string, className: string) => (
    // biome-ignore lint/performance/noImgElement: it is one of our small files, which cannot be optimised further
    <img
      {...{ src, width, height }}
      alt={alt}
      loading="lazy"
      className={`mt-6 h-auto max-w-full rounded-base border ${className}`}
    />
  );
  return (
    <>
      {image(light, "dark:hidden")}
      {image(dark, "hidden dark:block")}
    </>
  );
}

function inlineOf(tokens: readonly Token[], resolveLink: ResolveLink): React.ReactNode {
  const [only] = tokens;
  if (tokens.length === 1 && only?.type === "text" && !("tokens" in only)) return only.text;
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order
  return tokens.map((token, index) => <Inline key={index} token={token} resolveLink={resolveLink} />);
}

function Inline({ token, resolveLink }: { token: Token; resolveLink: ResolveLink }) {
  const inner = "tokens" in token && token.tokens ? inlineOf(token.tokens, resolveLink) : null;
  switch (token.type) {
    case "text":
      return inner ?? token.text;
    case "escape":
      return token.text;
    case "codespan":
      return (
        <code className="wrap-anywhere rounded-base bg-muted px-1 font-mono text-sm in-[h2]:bg-transparent in-[h2]:px-0 in-[h2]:text-lg in-[h3]:text-base">
          {token.text}
        </code>
      );
    case "image": {
      const picture = token as Picture;
      const src = resolveLink(picture.href);
      const dark = picture.dark && resolveLink(picture.dark);
      if (src === null) return null;
      return dark ? (
        <Screenshot picture={picture} light={src} dark={dark} />
      ) : (
        <Drawing picture={picture} src={src} />
      );
    }
    case "strong":
      return <strong className="font-semibold">{inner}</strong>;
    case "em":
      return <em>{inner}</em>;
    case "br":
      return <br />;
    case "link": {
      const href = resolveLink(token.href);
      // The site does not show source files, so the title contains the file's path in the repository.
      if (href === null) return <span title={token.href.replace(/^(\.\.\/)+/, "")}>{inner}</span>;
      return <TextLink href={href}>{inner}</TextLink>;
    }
    default:
      return null;
  }
}
