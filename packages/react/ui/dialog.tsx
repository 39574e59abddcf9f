"use client";

import { type ComponentProps, useEffect, useId, useRef, useState } from "react";
import { useWords } from "../words/words.tsx";
import { Button } from "./button.tsx";
import { type ButtonLook, classNames } from "./button-look.tsx";
import { Problem } from "./elements.tsx";

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
  /** The text that a screen reader reads after the title. */
  text: React.ReactNode;
  /** Focuses the title, for a dialog whose first button is far below. */
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
        className="wrap-anywhere font-semibold text-lg outline-none"
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

/**
 * A button that asks once, in a dialog, before an action that cannot be undone. The focus starts on Cancel, so that a
 * second press of Enter has no effect, and returns to the button. Escape cancels, too.
 */
export function AskFirst({
  button,
  label,
  title,
  question,
  confirmLabel,
  cancelLabel,
  onConfirm,
  children,
}: {
  button: ComponentProps<"button"> & ButtonLook;
  /** The button's words, or a picture that `button` names. */
  label: React.ReactNode;
  title: string;
  question: React.ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm: () => void;
  /** Further choices, between the question and the buttons. */
  children?: React.ReactNode;
}) {
  const { controls } = useWords();
  const [asking, setAsking] = useState(false);
  const cancel = () => setAsking(false);
  const confirm = () => {
    setAsking(false);
    onConfirm();
  };
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {asking && (
        <Modal title={title} text={question} onCancel={cancel} className="max-w-md bg-card text-left">
          {children && <div className="mt-3">{children}</div>}
          <div className="mt-6 flex flex-wrap gap-3 *:grow">
            <Button autoFocus onClick={cancel}>
              {cancelLabel ?? controls.cancel}
            </Button>
            <Button variant="danger" onClick={confirm}>
              {confirmLabel}
            </Button>
          </div>
        </Modal>
      )}
    </>
  );
}

/** An `AskFirst` for a change that takes time and may fail. */
export function ConfirmButton({
  label,
  describe = label,
  busy,
  pending,
  problem,
  look = { variant: "danger", size: "small" },
  ...ask
}: Omit<ComponentProps<typeof AskFirst>, "button" | "title"> & {
  label: string;
  title?: string;
  /** The label for screen reader users, who do not see the text next to it, and the dialog's title. */
  describe?: string;
  /** The button's words while the change is under way. */
  busy?: string;
  pending: boolean;
  /** Why the change failed, if nothing else on the page says so. */
  problem?: React.ReactNode;
  look?: ButtonLook;
}) {
  const button = { ...look, disabled: pending, "aria-label": pending ? undefined : describe };
  return (
    <span className="inline-flex flex-wrap items-center gap-3">
      <AskFirst
        {...ask}
        button={button}
        label={pending ? (busy ?? ask.confirmLabel) : label}
        title={ask.title ?? `${describe}?`}
      />
      <Problem>{problem}</Problem>
    </span>
  );
}
