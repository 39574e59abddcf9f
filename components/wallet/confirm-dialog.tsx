"use client";

import { useEffect, useId, useRef } from "react";
import { Button } from "#components/ui/button.tsx";

/** Asks before something that cannot be taken back. Escape and the first button leave everything as it is. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  cancelLabel = "Keep it",
  onConfirm,
  onCancel,
}: {
  title: string;
  children: React.ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-base border bg-card p-4 text-foreground backdrop:bg-black/50 sm:p-6"
    >
      <h2 id={`${id}-title`} className="wrap-anywhere font-semibold">
        {title}
      </h2>
      <div id={`${id}-text`} className="mt-2 text-muted-foreground">
        {children}
      </div>
      <div className="mt-6 grid gap-3 min-[25rem]:grid-cols-2">
        <Button onClick={onCancel}>{cancelLabel}</Button>
        <Button variant="danger" onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </dialog>
  );
}
