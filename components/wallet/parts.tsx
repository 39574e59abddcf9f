"use client";

import { type ComponentProps, useEffect, useId, useRef } from "react";
import { classNames } from "#components/ui/class-names.ts";

/** A heading that takes the focus when it appears. */
export function FocusedHeading(props: Omit<ComponentProps<"h2">, "ref" | "tabIndex" | "className">) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return <h2 ref={heading} tabIndex={-1} className="font-semibold text-lg outline-none" {...props} />;
}

/** What is there for those who want to know. */
export function Disclosure({ summary, children, ...rest }: ComponentProps<"details"> & { summary: string }) {
  return (
    <details className="mt-4 border-t pt-2" {...rest}>
      <summary className="flex min-h-11 cursor-pointer items-center rounded-base text-sm underline underline-offset-4">
        {summary}
      </summary>
      {children}
    </details>
  );
}

/** A field for several lines, which are not prose. */
export function LinesField({
  label,
  hint,
  mistake = null,
  className,
  ...rest
}: ComponentProps<"textarea"> & { label: string; hint: string; mistake?: string | null }) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <p id={`${id}-hint`} className="text-muted-foreground text-sm">
        {hint}
      </p>
      <textarea
        id={id}
        rows={3}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={mistake !== null}
        aria-describedby={mistake === null ? `${id}-hint` : `${id}-mistake`}
        className={classNames(
          "mt-2 block w-full rounded-base border border-input bg-background px-3 py-2 font-mono",
          className,
        )}
        {...rest}
      />
      {mistake && (
        <p id={`${id}-mistake`} role="alert" className="mt-2 text-danger text-sm">
          {mistake}
        </p>
      )}
    </>
  );
}

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
