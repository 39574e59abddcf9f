"use client";

import { useState } from "react";
import { useWords } from "#components/words/words.tsx";
import { Button } from "./button.tsx";
import type { ButtonLook } from "./button-link.tsx";
import { Modal } from "./modal.tsx";

/**
 * A button that asks once, in a dialog, before something that cannot be taken back. The focus begins on Cancel, so
 * that a second press of Enter changes nothing, and goes back to the button.
 */
export function ConfirmButton({
  label,
  describe = label,
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
  /** The label for those who do not see what it stands beside, and the dialog's title. */
  describe?: string;
  question: string;
  confirmLabel: string;
  /** The button's words while it is waited for. */
  busy?: string;
  pending: boolean;
  /** Why it did not happen, where nothing else on the page tells it. */
  problem?: string | null;
  onConfirm: () => void;
  /** What else is decided, between the question and the buttons. */
  children?: React.ReactNode;
}) {
  const { controls } = useWords();
  const [asking, setAsking] = useState(false);
  const confirm = () => {
    setAsking(false);
    onConfirm();
  };
  return (
    <span className="inline-flex flex-wrap items-center gap-3">
      <Button
        variant={variant}
        size={size}
        className={className}
        disabled={pending}
        aria-label={pending ? undefined : describe}
        onClick={() => setAsking(true)}
      >
        {pending ? busy : label}
      </Button>
      <span role="status" className="text-danger text-sm empty:absolute">
        {problem}
      </span>
      {asking && (
        <Modal
          title={`${describe}?`}
          text={question}
          onCancel={() => setAsking(false)}
          className="max-w-md bg-card text-left"
        >
          {children && <div className="mt-3">{children}</div>}
          <div className="mt-6 grid gap-3 min-[25rem]:grid-cols-2">
            <Button autoFocus onClick={() => setAsking(false)}>
              {controls.cancel}
            </Button>
            <Button variant="danger" onClick={confirm}>
              {confirmLabel}
            </Button>
          </div>
        </Modal>
      )}
    </span>
  );
}
