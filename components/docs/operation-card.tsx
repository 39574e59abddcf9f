import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { curlOf } from "#lib/hosted/contract/curl.ts";
import { describeFields, type FieldDescription } from "#lib/hosted/contract/describe-fields.ts";
import { BODY_EXAMPLES } from "#lib/hosted/contract/examples.ts";
import { errorsOf, type Operation } from "#lib/hosted/contract/operation.ts";
import { SIGNATURE_STATUS } from "#lib/hosted/contract/verify.ts";
import { ERROR_STATUS, type ErrorCode } from "#lib/platform/http/error.ts";
import { OWNER_LIMITS_PER_MINUTE } from "#lib/platform/numbers.ts";
import { FieldTable } from "./field-table.tsx";
import { InlineCode } from "./inline-code.tsx";
import { TryOperation } from "./try-operation.tsx";

/** One operation of the reference: what goes in, what comes out, what can go wrong, and a way to try it. */
export function OperationCard({ operation, origin }: { operation: Operation; origin: string }) {
  const { id, method, path, summary, description, body, query, headers, success, limit } = operation;
  const fields = query ? describeFields(query, "input") : [];
  const shownPath = path.replace(/:([a-z_]+)/g, "{$1}");
  return (
    <Card id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-4 gap-6">
      <header>
        <h3 id={`${id}-title`} className="font-semibold">
          <InlineCode text={summary.replace(/\.$/, "")} />
        </h3>
        <p className="wrap-anywhere mt-1 flex flex-wrap items-center gap-2 font-mono text-sm">
          <Badge>{method}</Badge>
          {shownPath}
        </p>
        {description && (
          <p className="mt-2 max-w-prose text-sm">
            <InlineCode text={description} />
          </p>
        )}
      </header>
      {headers && <FieldTable title="Headers" fields={headerFields(headers)} />}
      {fields.length > 0 && <FieldTable title="Query" fields={fields} />}
      {body && <FieldTable title="Body" fields={describeFields(body, "input")} />}
      {success.schema ? (
        <FieldTable title={`Answer ${success.status}`} fields={describeFields(success.schema, "output")} />
      ) : (
        <p className="text-sm">Answers {success.status} without a body.</p>
      )}
      <section>
        <h4 className="font-semibold text-sm">Errors and limits</h4>
        <ul className="mt-2 flex flex-wrap gap-2">
          {errorsOf(operation)
            .toSorted((one, other) => statusOf(one) - statusOf(other))
            .map((code) => (
              <li key={code} className="rounded-base border px-2 font-mono text-sm">
                {statusOf(code)} {code}
              </li>
            ))}
        </ul>
        <p className="mt-2 text-muted-foreground text-sm">
          {OWNER_LIMITS_PER_MINUTE[limit]} requests a minute for all keys of one owner, counted{" "}
          {limit === "other" ? "with everything that has no limit of its own" : "by itself"}.
        </p>
      </section>
      <CodeBlock
        label="With curl"
        code={curlOf({
          url: `${origin}/sandbox/v1${path.replace(/:([a-z_]+)/g, (_, name) => name.toUpperCase())}`,
          method,
          body: BODY_EXAMPLES[id],
        })}
      />
      <TryOperation
        id={id}
        method={method}
        path={path}
        query={fields.map(({ name }) => name)}
        body={BODY_EXAMPLES[id] ? JSON.stringify(BODY_EXAMPLES[id], null, 2) : null}
      />
    </Card>
  );
}

function headerFields(headers: Record<string, string>): FieldDescription[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    type: "string",
    required: false,
    description,
  }));
}

function statusOf(code: ErrorCode): number {
  return code === "invalid_signature" ? SIGNATURE_STATUS : ERROR_STATUS[code];
}
