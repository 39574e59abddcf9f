"use client";

import { type ComponentProps, useEffect, useRef } from "react";

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
