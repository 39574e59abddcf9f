import type { ComponentProps } from "react";
import { useId } from "react";
import { classNames } from "./class-names.ts";

/** The look of every field that is typed into. */
export const FIELD_CLASS =
  "block w-full rounded-base border border-input bg-background px-3 py-2 aria-invalid:border-danger";

type FieldProps = { label: string; hint?: React.ReactNode; error?: string | null; className?: string };

/** A field with its label, a line of help, and what is wrong with it. */
export function TextField({
  label,
  hint,
  error,
  className,
  ...rest
}: Omit<ComponentProps<"input">, "id"> & FieldProps) {
  return (
    <Labelled {...{ label, hint, error, className }}>
      {(field) => (
        <input {...field} autoComplete="off" className={classNames(FIELD_CLASS, "mt-1 min-h-11")} {...rest} />
      )}
    </Labelled>
  );
}

/** The same for a text of several lines. */
export function TextArea({
  label,
  hint,
  error,
  className,
  ...rest
}: Omit<ComponentProps<"textarea">, "id"> & FieldProps) {
  return (
    <Labelled {...{ label, hint, error, className }}>
      {(field) => (
        <textarea
          {...field}
          rows={2}
          autoComplete="off"
          autoCapitalize="none"
          className={classNames(
            FIELD_CLASS,
            "mt-1 wrap-anywhere field-sizing-content min-h-16 font-mono text-sm",
          )}
          {...rest}
        />
      )}
    </Labelled>
  );
}

function Labelled({
  label,
  hint,
  error,
  className,
  children,
}: FieldProps & {
  children: (field: ComponentProps<"input"> & ComponentProps<"textarea">) => React.ReactNode;
}) {
  const id = useId();
  const described = error || hint ? `${id}-hint` : undefined;
  return (
    <div className={className}>
      <label htmlFor={id} className="block font-semibold text-sm">
        {label}
      </label>
      {children({
        id,
        spellCheck: false,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": described,
      })}
      <p
        id={`${id}-hint`}
        aria-live="polite"
        className={classNames("text-sm not-empty:mt-1", error ? "text-danger" : "text-muted-foreground")}
      >
        {error ?? hint}
      </p>
    </div>
  );
}
