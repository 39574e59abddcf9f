"use client";

import { type ComponentProps, useId, useLayoutEffect, useRef, useState } from "react";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";
import { type ButtonLook, joinClassNames } from "./button-look.tsx";
import { Problem } from "./elements.tsx";

/** A dialog must not be transparent. */
function pageBackground(): string {
  const colours = [document.body, document.documentElement].map(
    (element) => getComputedStyle(element).backgroundColor,
  );
  return colours.find((colour) => !/^transparent$|, 0\)$/.test(colour)) ?? "Canvas";
}

/** Open as long as it is rendered. Escape closes it. */
export function Modal({
  title,
  text,
  focusesTitle = false,
  onCancel,
  className,
  children,
}: {
  title: string;
  /** Read by screen readers after the title. */
  text: React.ReactNode;
  /** For a dialog whose first button is far below the title. */
  focusesTitle?: boolean;
  onCancel: () => void;
  className?: string;
  children: React.ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  // A layout effect closes the dialog before React removes it. Otherwise, browsers would not return the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.style.setProperty("--svc-page", pageBackground());
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
      className={joinClassNames("svc-dialog", className)}
    >
      <h2
        id={`${id}-title`}
        ref={heading}
        tabIndex={focusesTitle ? -1 : undefined}
        className="svc-heading svc-large"
      >
        {title}
      </h2>
      <div id={`${id}-text`} className="svc-muted-text">
        {text}
      </div>
      {children}
    </dialog>
  );
}

/**
 * Opens with the focus on Cancel, so that pressing Enter twice changes nothing. Afterwards, the focus returns to the
 * button. Escape also cancels.
 */
export function ConfirmDialogButton({
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
  /** An icon needs an `aria-label` in `button`. */
  label: React.ReactNode;
  title: string;
  question: React.ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm: () => void;
  children?: React.ReactNode;
}) {
  const { controls } = useTexts();
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
        <Modal title={title} text={question} onCancel={cancel}>
          {children}
          <div className="svc-wrap svc-grow">
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

export function ConfirmButton({
  label,
  describe = label,
  busy,
  pending,
  problem,
  look = { variant: "danger", size: "small" },
  ...ask
}: Omit<ComponentProps<typeof ConfirmDialogButton>, "button" | "title"> & {
  label: string;
  title?: string;
  /** Also the button's label for screen reader users, who do not see the text next to the button. */
  describe?: string;
  busy?: string;
  pending: boolean;
  /** Absent if something else on the page shows why the change failed. */
  problem?: React.ReactNode;
  look?: ButtonLook;
}) {
  const button = { ...look, disabled: pending, "aria-label": pending ? undefined : describe };
  return (
    <span className="svc-inline">
      <ConfirmDialogButton
        {...ask}
        button={button}
        label={pending ? (busy ?? ask.confirmLabel) : label}
        title={ask.title ?? `${describe}?`}
      />
      <Problem>{problem}</Problem>
    </span>
  );
}
