"use client";

import { type ComponentProps, useId, useLayoutEffect, useRef, useState } from "react";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";
import { type ButtonLook, joinClassNames } from "./button-look.tsx";
import { Problem } from "./elements.tsx";

/** Returns the page's background colour for a dialog, which must not be transparent. */
function pageBackground(): string {
  const colours = [document.body, document.documentElement].map(
    (element) => getComputedStyle(element).backgroundColor,
  );
  return colours.find((colour) => !/^transparent$|, 0\)$/.test(colour)) ?? "Canvas";
}

/** A modal dialog that is open as long as it is rendered. Escape closes it. */
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
  /** Moves the focus to the title, for a dialog whose first button is far below the title. */
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
 * A button that asks for confirmation in a dialog before an irreversible action. The dialog opens with the focus on
 * Cancel, so that pressing Enter twice changes nothing. Afterwards, the focus returns to the button. Escape also
 * cancels.
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
  /** The button's text, or an icon if `button` has an `aria-label`. */
  label: React.ReactNode;
  title: string;
  question: React.ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm: () => void;
  /** Further options between the question and the buttons. */
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

/** A `ConfirmDialogButton` for a change that takes time and can fail. */
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
  /**
   * The dialog's title. It is also the button's label for screen reader users, who do not see the text next to the
   * button.
   */
  describe?: string;
  /** The button's text while the request is running. */
  busy?: string;
  pending: boolean;
  /** The reason why the change failed, if nothing else on the page shows it. */
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
