/** A text of the operation table, whose only Markdown is code between backticks. */
export function InlineCode({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order
      <code key={index} className="wrap-anywhere rounded-base bg-muted px-1 font-mono text-sm">
        {part}
      </code>
    ),
  );
}
