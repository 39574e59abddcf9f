"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";

/** A button that asks once before something that cannot be taken back. */
export function ConfirmButton({
  label,
  describe,
  question,
  confirmLabel,
  pending,
  onConfirm,
}: {
  label: string;
  /** The label for those who do not see what it stands beside. */
  describe?: string;
  question: string;
  confirmLabel: string;
  pending: boolean;
  onConfirm: () => void;
}) {
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return (
      <Button
        variant="danger"
        size="small"
        disabled={pending}
        aria-label={describe}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons is no fieldset of a form
    <div role="group" aria-label={describe ?? label} className="flex flex-wrap items-center gap-3">
      <span className="text-sm">{question}</span>
      <Button variant="danger" size="small" disabled={pending} onClick={onConfirm} autoFocus>
        {confirmLabel}
      </Button>
      <Button size="small" disabled={pending} onClick={() => setAsking(false)}>
        Cancel
      </Button>
    </div>
  );
}
