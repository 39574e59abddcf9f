import type { ComponentProps } from "react";
import { useId } from "react";
import { classNames } from "./class-names.ts";

/** The look of every field that is typed into. */
export const FIELD_CLASS =
  "block w-full rounded-base border border-input bg-background px-3 py-2 aria-invalid:border-danger";

/** A field with its label, a line of help, and what is wrong with it. */
export function TextField({
  label,
  hint,
  error,
  className,
  ...rest
}: Omit<ComponentProps<"input">, "id"> & { label: string; hint?: React.ReactNode; error?: string | null }) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="block font-semibold text-sm">
        {label}
      </label>
      <input
        id={id}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-hint` : undefined}
        className={classNames(FIELD_CLASS, "mt-1 min-h-11")}
        {...rest}
      />
      <FieldHint id={`${id}-hint`} hint={hint} error={error} />
    </div>
  );
}

/** The same for a text of several lines. */
export function TextArea({
  label,
  hint,
  error,
  className,
  ...rest
}: Omit<ComponentProps<"textarea">, "id"> & {
  label: string;
  hint?: React.ReactNode;
  error?: string | null;
}) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="block font-semibold text-sm">
        {label}
      </label>
      <textarea
        id={id}
        rows={2}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-hint` : undefined}
        className={classNames(
          FIELD_CLASS,
          "mt-1 wrap-anywhere field-sizing-content min-h-16 font-mono text-sm",
        )}
        {...rest}
      />
      <FieldHint id={`${id}-hint`} hint={hint} error={error} />
    </div>
  );
}

function FieldHint({ id, hint, error }: { id: string; hint?: React.ReactNode; error?: string | null }) {
  return (
    <p
      id={id}
      aria-live="polite"
      className={classNames("text-sm not-empty:mt-1", error ? "text-danger" : "text-muted-foreground")}
    >
      {error ?? hint}
    </p>
  );
}
