import type { FieldDescription } from "#lib/hosted/contract/reference.ts";

/** The fields of a request or an answer. */
export function FieldList({ title, fields }: { title: string; fields: FieldDescription[] }) {
  return (
    <section>
      <h4 className="font-semibold text-sm">{title}</h4>
      <Fields fields={fields} />
    </section>
  );
}

/** The same, out of the way until it is asked for: the example beside it shows the shape. */
export function FoldedFieldList({ title, fields }: { title: string; fields: FieldDescription[] }) {
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-base font-semibold text-sm underline-offset-4 hover:underline">
        {title}
      </summary>
      <Fields fields={fields} />
    </details>
  );
}

function Fields({ fields }: { fields: FieldDescription[] }) {
  return (
    <dl className="mt-2 divide-y border-t text-sm">
      {fields.map(({ name, type, required, description }) => (
        <div key={name} className="py-2">
          <dt className="wrap-anywhere">
            <span className="font-mono">{name}</span>{" "}
            <span className="text-muted-foreground">
              {type}
              {!required && ", optional"}
            </span>
          </dt>
          {description && (
            <dd className="wrap-anywhere mt-1">
              <InlineCode text={description} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

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
