"use client";

import { useEffect, useId, useRef } from "react";
import { classNames } from "./class-names.ts";

/** A modal dialog, open for as long as it is shown. Escape cancels it. */
export function Modal({
  title,
  text,
  focusesTitle = false,
  onCancel,
  className,
  children,
}: {
  title: string;
  /** What a screen reader says after the title. */
  text: React.ReactNode;
  /** Begins at the top, where the first button is far below. */
  focusesTitle?: boolean;
  onCancel: () => void;
  className: string;
  children: React.ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    if (focusesTitle) heading.current?.focus();
    return () => element?.close();
  }, [focusesTitle]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
      className={classNames(
        "m-auto w-[calc(100%-2rem)] rounded-base border p-4 text-foreground backdrop:bg-black/50 sm:p-6",
        className,
      )}
    >
      <h2
        id={`${id}-title`}
        ref={heading}
        tabIndex={focusesTitle ? -1 : undefined}
        className="wrap-anywhere font-semibold outline-none"
      >
        {title}
      </h2>
      <div id={`${id}-text`} className="mt-2 text-muted-foreground">
        {text}
      </div>
      {children}
    </dialog>
  );
}
