import { Summary } from "#components/ui/details.tsx";
import { getErrorStatus } from "#lib/hosted/contract/openapi.ts";
import {
  listOperationErrorCodes,
  type Operation,
  toOperationName,
  toReadablePath,
} from "#lib/hosted/contract/operation.ts";
import {
  createExampleRequest,
  createSampleOutput,
  describeFields,
  type FieldDescription,
  personaliseExample,
  type ReaderDomain,
} from "#lib/hosted/contract/reference.ts";
import { TENANT_LIMITS_PER_MINUTE } from "#packages/login/http/numbers.ts";
import { Badge } from "#packages/react/ui/elements.tsx";
import { CodeSample } from "./code-sample.tsx";
import { RequestSample } from "./request-sample.tsx";
import { TryOperation } from "./try-operation.tsx";

export function FieldList({ title, fields }: { title: string; fields: FieldDescription[] }) {
  return (
    <section>
      <h4 className="font-semibold text-sm">{title}</h4>
      <Fields fields={fields} />
    </section>
  );
}

/** The example next to it already shows the fields. */
function FoldedFieldList({ title, fields }: { title: string; fields: FieldDescription[] }) {
  return (
    <details>
      <Summary className="font-semibold">{title}</Summary>
      <Fields fields={fields} />
    </details>
  );
}

function Fields({ fields }: { fields: FieldDescription[] }) {
  return (
    <dl className="mt-2 divide-y border-t text-sm">
      {fields.map(({ name, type, required, description }) => (
        <div key={name} className="flex flex-wrap gap-x-2 py-2">
          <dt className="wrap-anywhere font-mono">{name}</dt>
          <dd className="text-muted-foreground">
            {type}
            {!required && ", optional"}
          </dd>
          {description && (
            <dd className="wrap-anywhere mt-1 basis-full">
              <InlineCode text={description} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** Inline code is the only Markdown in the operation table's texts. */
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

export function ReferenceSection({
  id,
  title,
  beside,
  below,
  children,
}: {
  id: string;
  title: string;
  beside?: React.ReactNode;
  below?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-16 grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 border-t py-8 lg:scroll-mt-0 xl:grid-cols-[minmax(0,1fr)_minmax(0,29rem)] xl:grid-rows-[auto_1fr]"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        <h3 id={`${id}-title`} className="font-semibold">
          <a href={`#${id}`} className="underline-offset-4 hover:underline">
            {title}
          </a>
        </h3>
        {children}
      </div>
      {beside && (
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 self-start xl:sticky xl:top-6 xl:row-span-2">
          {beside}
        </div>
      )}
      {below}
    </section>
  );
}

export function OperationSection({
  operation,
  base,
  own,
}: {
  operation: Operation;
  base: string;
  /** The reader's own domain for the examples. */
  own: ReaderDomain | null;
}) {
  const { id, method, path, summary, description, body, example, query, headers, success } = operation;
  const parameters = query ? describeFields(query, "input") : [];
  const answer = success.schema ? describeFields(success.schema, "output") : [];
  return (
    <ReferenceSection
      id={id}
      title={toOperationName(operation)}
      beside={
        <>
          <RequestSample
            title={`${method} ${toReadablePath(path)}`}
            request={personaliseExample(own, createExampleRequest(operation, base))}
          />
          {success.schema && (
            <CodeSample
              language="json"
              label={`Response ${success.status}`}
              code={JSON.stringify(personaliseExample(own, createSampleOutput(success.schema)), null, 2)}
            />
          )}
        </>
      }
      below={
        <TryOperation
          id={id}
          method={method}
          path={path}
          query={parameters.map(({ name }) => name)}
          body={example ? JSON.stringify(personaliseExample(own, example), null, 2) : null}
        />
      }
    >
      <p className="wrap-anywhere flex flex-wrap items-center gap-2 font-mono text-sm">
        <Badge>{method}</Badge>
        {toReadablePath(path)}
      </p>
      <p className="max-w-prose">
        <InlineCode text={description ? `${summary} ${description}` : summary} />
      </p>
      {headers && <FieldList title="Headers" fields={headerFields(headers)} />}
      {parameters.length > 0 && <FieldList title="Query" fields={parameters} />}
      {body && <FieldList title="Body" fields={describeFields(body, "input")} />}
      {answer.length > 0 ? (
        <FoldedFieldList
          title={`Response ${success.status}: ${answer.length} ${answer.length === 1 ? "field" : "fields"}`}
          fields={answer}
        />
      ) : (
        <p className="text-sm">Returns {success.status} without a body.</p>
      )}
      <ErrorsAndLimit operation={operation} />
    </ReferenceSection>
  );
}

function ErrorsAndLimit({ operation }: { operation: Operation }) {
  const everywhere = new Set(listOperationErrorCodes({ ...operation, errors: [] }));
  const ownErrors = listOperationErrorCodes(operation)
    .filter((code) => !everywhere.has(code))
    .toSorted((one, other) => getErrorStatus(one) - getErrorStatus(other));
  return (
    <section className="text-sm">
      <h4 className="font-semibold">Errors and limit</h4>
      {ownErrors.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2">
          {ownErrors.map((code) => (
            <li key={code} className="rounded-base border px-2 font-mono">
              {getErrorStatus(code)} {code}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-muted-foreground">
        {ownErrors.length > 0 ? "And those" : "Only those"} that{" "}
        <a href="#error-body" className="underline underline-offset-4 hover:no-underline">
          every operation has
        </a>
        . {TENANT_LIMITS_PER_MINUTE[operation.limit]} requests a minute
        {operation.limit === "other" && ", shared with all operations that have no separate limit"}.
      </p>
    </section>
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
