import { type ComponentProps, useId } from "react";

/** A field for a passphrase. Its value stays in the field: nothing else keeps it. */
export function PassphraseField({ label, ...rest }: ComponentProps<"input"> & { label: string }) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <input
        id={id}
        type="password"
        required
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="mt-1 block min-h-11 w-full rounded-base border border-input bg-background px-3 py-2"
        {...rest}
      />
    </div>
  );
}
