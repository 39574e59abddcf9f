"use client";

import { Button } from "#components/ui/button.tsx";
import { Modal } from "#components/ui/modal.tsx";

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
  return (
    <Modal title={title} text={children} onCancel={onCancel} className="max-w-md bg-card">
      <div className="mt-6 grid gap-3 min-[25rem]:grid-cols-2">
        <Button onClick={onCancel}>{cancelLabel}</Button>
        <Button variant="danger" onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Modal>
  );
}
