import { TextArea, TextField } from "#packages/react/ui/text-field.tsx";

export type FormField = {
  name: string;
  label: string;
  hint?: string | undefined;
  required?: boolean;
  placeholder?: string | undefined;
  type?: "text" | "url";
  maxLength?: number | undefined;
  value?: string | undefined;
  /** The number of lines, for a multi-line field. */
  rows?: number;
};

export function Fields({
  fields,
  errors = {},
  className,
}: {
  fields: FormField[];
  errors?: Record<string, string>;
  className?: string;
}) {
  return fields.map(({ value, rows, type = "text", ...field }) => {
    const shared = { ...field, defaultValue: value, error: errors[field.name], className };
    return rows ? (
      <TextArea key={field.name} rows={rows} {...shared} />
    ) : (
      <TextField key={field.name} type={type} autoCapitalize="none" {...shared} />
    );
  });
}
