import { type ComponentProps, type ElementType, useId } from "react";
import { classNames } from "./button-look.tsx";

/** The look of every field that is typed into. */
export const FIELD_CLASS =
  "block w-full rounded-base border border-input bg-background px-3 py-2 aria-invalid:border-danger";

type FieldProps = { label: string; hint?: React.ReactNode; error?: React.ReactNode; className?: string };

/** A field with its label, a line of help, and what is wrong with it. */
export function TextField(props: Omit<ComponentProps<"input">, "id"> & FieldProps) {
  return <Field as="input" look="min-h-11" {...props} />;
}

/** A `TextField` for a text of several lines. */
export function TextArea(props: Omit<ComponentProps<"textarea">, "id"> & FieldProps) {
  const look = "wrap-anywhere field-sizing-content min-h-16 font-mono text-sm";
  return <Field as="textarea" rows={2} autoCapitalize="none" autoCorrect="off" look={look} {...props} />;
}

function Field({
  as: Element,
  look,
  label,
  hint,
  error,
  className,
  ...rest
}: FieldProps & { as: ElementType; look: string; [attribute: string]: unknown }) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="block font-semibold text-sm">
        {label}
      </label>
      <Element
        id={id}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-hint` : undefined}
        className={classNames(FIELD_CLASS, "mt-1", look)}
        {...rest}
      />
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
