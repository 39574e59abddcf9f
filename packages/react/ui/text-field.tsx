import { type ComponentProps, type ElementType, useId } from "react";
import { joinClassNames } from "./button-look.tsx";

export const TEXT_FIELD_CLASS = "svc-input";

type FieldProps = { label: string; hint?: React.ReactNode; error?: React.ReactNode; className?: string };

export function TextField(props: Omit<ComponentProps<"input">, "id"> & FieldProps) {
  return <Field as="input" {...props} />;
}

export function TextArea(props: Omit<ComponentProps<"textarea">, "id"> & FieldProps) {
  return <Field as="textarea" rows={2} autoCapitalize="none" autoCorrect="off" {...props} />;
}

function Field({
  as: Element,
  label,
  hint,
  error,
  className,
  ...rest
}: FieldProps & { as: ElementType; [attribute: string]: unknown }) {
  const id = useId();
  return (
    <div className={joinClassNames("svc-field", className)}>
      <label htmlFor={id} className="svc-label">
        {label}
      </label>
      <Element
        id={id}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-hint` : undefined}
        className={TEXT_FIELD_CLASS}
        {...rest}
      />
      <p
        id={`${id}-hint`}
        aria-live="polite"
        className={joinClassNames("svc-hint", Boolean(error) && "svc-problem")}
      >
        {error ?? hint}
      </p>
    </div>
  );
}
