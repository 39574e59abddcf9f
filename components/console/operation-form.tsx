"use client";

import { requestChange } from "@svc/login/client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useSWRConfig } from "swr";
import { Fields, type FormField } from "#components/ui/fields.tsx";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { readField, readTextField } from "#packages/login/client/fetch-json.ts";
import { useChange } from "#packages/react/approval/approval-provider.tsx";
import { Button } from "#packages/react/ui/button.tsx";
import { type ButtonLook, joinClassNames } from "#packages/react/ui/button-look.tsx";
import { CopyButton } from "#packages/react/ui/copy-button.tsx";
import { ConfirmButton } from "#packages/react/ui/dialog.tsx";
import { CONSOLE_API, useApiMode } from "./live.tsx";
import { type ConsoleRoute, OPERATION_TEXTS, type OperationTexts } from "./operation-texts.tsx";

type SchemaField = Omit<FormField, "label">;

type OperationProps = Omit<ButtonLook, "className"> & {
  route: ConsoleRoute;
  /** The value of `:id` in the route. */
  of?: string;
  /** As returned by `describeFormFields`. */
  fields?: SchemaField[];
  /** Initial values. */
  example?: Record<string, string>;
  /** Replaces the button's usual text. */
  label?: string;
  /** The button's label for screen readers, if the visible label is clear only from the text next to the button. */
  describe?: string;
  disabled?: boolean;
};

/**
 * A form if the operation has a body, otherwise only a button. Asks for confirmation before an irreversible change. A
 * secret in the response replaces the form until the user has stored it.
 */
export function OperationForm(props: OperationProps) {
  const texts: OperationTexts = OPERATION_TEXTS[props.route];
  const mode = useApiMode();
  const operation = useOperation(props.route, props.of, texts);
  const { answer, forget, pending, failure, request } = operation;
  const secret = texts.secret && readTextField(answer, texts.secret.name);
  if (texts.secret && secret) {
    const onStored = () => {
      forget();
      if (texts.next) window.location.assign(`/console/${mode}${texts.next(answer)}`);
    };
    return <SecretOnce {...texts.secret} secret={secret} onStored={onStored} />;
  }
  if (props.fields) return <BodyForm {...props} fields={props.fields} texts={texts} operation={operation} />;
  const { label = texts.label, describe, disabled, variant, size } = props;
  return (
    <div className="flex flex-wrap items-center gap-3">
      {texts.confirm ? (
        <ConfirmButton
          {...texts.confirm}
          label={label}
          describe={describe}
          busy={texts.busy}
          pending={pending}
          onConfirm={() => request()}
        />
      ) : (
        <Button variant={variant} size={size} disabled={pending || disabled} onClick={() => request()}>
          {pending ? texts.busy : label}
        </Button>
      )}
      {failure}
    </div>
  );
}

/** If there is only one field, the button is next to that field. */
function BodyForm({
  fields,
  example,
  variant,
  texts,
  operation: { answer, forget, pending, errors, failure, request },
}: OperationProps & {
  fields: SchemaField[];
  texts: OperationTexts;
  operation: ReturnType<typeof useOperation>;
}) {
  const mode = useApiMode();
  const [filled, setFilled] = useState(0);
  const isLine = fields.length === 1;
  const isLong = fields.some(({ name }) => texts.fields?.[name]?.rows);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    request(bodyOf(new FormData(event.currentTarget), fields, texts, mode));
  };
  const button = (
    <Button type="submit" variant={variant} disabled={pending} className={isLine ? "sm:mt-6" : undefined}>
      {pending ? texts.busy : texts.label}
    </Button>
  );
  return (
    <form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div
        // Recreates the form when the initial values change.
        key={filled}
        className={
          isLine
            ? "flex flex-wrap items-start gap-3"
            : joinClassNames("grid gap-4", !isLong && "md:grid-cols-2")
        }
      >
        <Fields
          fields={fields.map((field) => ({
            ...shownField(field, texts, mode, answer !== null),
            value: filled > 0 ? example?.[field.name] : field.value,
          }))}
          errors={errors}
          className={isLine ? "min-w-0 grow basis-60" : undefined}
        />
        {isLine && button}
      </div>
      {failure}
      {!isLine && (
        <div className="flex flex-wrap gap-3">
          {button}
          {example && (
            <Button
              onClick={() => {
                setFilled(filled + 1);
                forget();
              }}
            >
              Fill in an example
            </Button>
          )}
        </div>
      )}
      <div aria-live="polite" className="grid gap-4 empty:absolute">
        {answer !== null && texts.explain?.(answer)}
      </div>
    </form>
  );
}

function useOperation(route: string, of = "", texts: OperationTexts) {
  const mode = useApiMode();
  const router = useRouter();
  const { mutate } = useSWRConfig();
  const { pending, refused, problem, change } = useChange();
  const [answer, setAnswer] = useState<unknown>(null);
  const refresh = () => {
    // Refreshes the lists on this page.
    void mutate((key) => typeof key === "string" && key.startsWith(CONSOLE_API));
    router.refresh();
  };
  const onDone = (body: unknown) => {
    setAnswer(body ?? {});
    if (texts.next && !texts.secret) window.location.assign(`/console/${mode}${texts.next(body)}`);
    else refresh();
  };
  const request = (body?: object) => {
    const [method = "", path = ""] = route.replace(":id", encodeURIComponent(of)).split(" ");
    setAnswer(null);
    change(
      () => requestChange(`${CONSOLE_API}${mode}${path}`, method, body),
      onDone,
      texts.change,
      // A refused request can also change what the page shows, such as the result of a check. Without a session,
      // refreshing would redirect to the login page and lose what the user has typed.
      ({ code }) => code !== "not_signed_in" && refresh(),
    );
  };
  // The API's messages for fields are sentence fragments.
  const errors = Object.entries<string>(Object(readField(refused?.details, "fields"))).map(([name, text]) => [
    name,
    text.charAt(0).toUpperCase() + text.slice(1),
  ]);
  const failure = (
    <p role="alert" className="text-danger text-sm empty:absolute">
      {errors.length === 0 && problem}
    </p>
  );
  return {
    request,
    answer,
    forget: () => setAnswer(null),
    pending,
    failure,
    errors: Object.fromEntries(errors),
  };
}

function shownField(field: SchemaField, texts: OperationTexts, mode: ApiMode, isDone: boolean): FormField {
  const fieldTexts = texts.fields?.[field.name] ?? { label: field.name };
  const { label, hint = field.hint, placeholder, type, rows, fallback } = fieldTexts;
  const inMode = (text: typeof hint) => (typeof text === "object" ? text[mode] : text);
  return {
    ...field,
    label,
    type,
    rows,
    placeholder: inMode(placeholder),
    required: field.required && !(fallback && mode === "test"),
    hint: (isDone && texts.done) || inMode(hint),
  };
}

function bodyOf(form: FormData, fields: SchemaField[], texts: OperationTexts, mode: ApiMode) {
  const entries = fields.map(({ name }) => {
    const { fallback, clean = String } = texts.fields?.[name] ?? {};
    const text = clean(String(form.get(name) ?? ""));
    return [name, text === "" && fallback && mode === "test" ? fallback() : text];
  });
  return Object.fromEntries(entries);
}

function SecretOnce({
  title,
  text,
  secret,
  onStored,
}: {
  title: string;
  text: string;
  secret: string;
  onStored: () => void;
}) {
  return (
    <div role="status" className="grid w-full gap-3 rounded-base border border-success p-4">
      <div>
        <p className="font-semibold">{title}</p>
        <p className="text-muted-foreground text-sm">{text}</p>
      </div>
      <code className="wrap-anywhere rounded-base bg-muted p-3 font-mono text-sm">{secret}</code>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={secret} variant="primary">
          Copy
        </CopyButton>
        <Button onClick={onStored}>I have stored it</Button>
      </div>
    </div>
  );
}
