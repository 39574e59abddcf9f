"use client";

import { useState } from "react";
import { Button } from "./button.tsx";
import type { ButtonLook } from "./button-link.tsx";

/**
 * A button that asks once, in its own place, before something that cannot be taken back. The focus goes to Cancel, so
 * that a second press of Enter changes nothing, and from there back to the button.
 */
export function ConfirmButton({
  label,
  describe,
  question,
  confirmLabel,
  busy = confirmLabel,
  pending,
  problem,
  onConfirm,
  variant = "danger",
  size = "small",
  className,
  children,
}: ButtonLook & {
  label: string;
  /** The label for those who do not see what it stands beside. */
  describe?: string;
  question: string;
  confirmLabel: string;
  /** The confirming button's words while it is waited for. */
  busy?: string;
  pending: boolean;
  /** Why it did not happen, where nothing else on the page tells it. */
  problem?: string | null;
  onConfirm: () => void;
  /** What else is decided, between the question and the buttons. */
  children?: React.ReactNode;
}) {
  const [state, setState] = useState<"idle" | "asking" | "cancelled">("idle");
  if (state !== "asking") {
    return (
      <Button
        variant={variant}
        size={size}
        className={className}
        disabled={pending}
        aria-label={describe}
        autoFocus={state === "cancelled"}
        onClick={() => setState("asking")}
      >
        {label}
      </Button>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons is no fieldset of a form
    <div role="group" aria-label={describe ?? label} className="flex flex-wrap items-center gap-3">
      <span className="text-sm">{question}</span>
      {children}
      <Button variant="danger" size="small" disabled={pending} onClick={onConfirm}>
        {pending ? busy : confirmLabel}
      </Button>
      <Button size="small" disabled={pending} onClick={() => setState("cancelled")} autoFocus>
        Cancel
      </Button>
      <span role="status" className="text-danger text-sm empty:absolute">
        {problem}
      </span>
    </div>
  );
}
