import type { FieldDescription } from "#lib/hosted/contract/describe-fields.ts";
import { InlineCode } from "./inline-code.tsx";

/** The fields of a request or an answer. */
export function FieldTable({ title, fields }: { title: string; fields: FieldDescription[] }) {
  return (
    <section>
      <h4 className="font-semibold text-sm">{title}</h4>
      <dl className="mt-1 divide-y border-t">
        {fields.map(({ name, type, required, description }) => (
          <div key={name} className="grid gap-x-4 gap-y-1 py-2 text-sm sm:grid-cols-[15rem_minmax(0,1fr)]">
            <dt className="wrap-anywhere font-mono">{name}</dt>
            <dd className="wrap-anywhere min-w-0">
              <span className="text-muted-foreground">
                {type}
                {!required && ", optional"}
              </span>
              {description && (
                <span className="block">
                  <InlineCode text={description} />
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
