"use client";

import { Check, Copy } from "lucide-react";
import { type ComponentProps, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useWords } from "#components/words/words.tsx";
import { type ButtonLook, buttonClass, classNames } from "./elements.tsx";

/**
 * A button that needs a script, so it takes no press before the page is hydrated: a press would be lost, and a form
 * would send its fields in the page's address. It looks disabled only if `disabled` is set. Without JavaScript it is
 * hidden. `type` is "button" by default, so that no button submits a form by accident.
 */
export function Button({
  variant,
  size,
  className,
  disabled = false,
  type = "button",
  ...rest
}: ComponentProps<"button"> & ButtonLook) {
  const hydrated = useHydrated();
  const look = {
    variant,
    size,
    className: classNames(
      "[@media(scripting:none)]:hidden",
      disabled && "cursor-not-allowed opacity-55",
      className,
    ),
  };
  return <button type={type} className={buttonClass(look)} disabled={disabled || !hydrated} {...rest} />;
}

const never = () => () => {};

/** Whether React has taken over the page: false on the server, and in the first render of a page from the server. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** A heading that takes the focus when it appears. */
export function FocusedHeading({ className = "text-lg", ...rest }: Omit<ComponentProps<"h2">, "ref">) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const look = classNames("font-semibold outline-none", className);
  return <h2 ref={heading} tabIndex={-1} className={look} {...rest} />;
}

type CopyState = "idle" | "copied" | "failed";
const SHOWN_MS = 2_000;

/** Copies `text` and says so in its own label, which screen readers hear. */
export function CopyButton({
  text,
  children,
  ...look
}: ButtonLook & { text: string | null; children: React.ReactNode }) {
  const { controls } = useWords();
  const [state, setState] = useState<CopyState>("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState(text !== null && (await copyText(text)) ? "copied" : "failed");
  const Icon = state === "copied" ? Check : Copy;
  return (
    <Button {...look} disabled={text === null} onClick={copy}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span aria-live="polite">
        {state === "copied" ? controls.copied : state === "failed" ? controls.notCopied : children}
      </span>
    </Button>
  );
}

/** The clipboard API exists only on https and localhost; elsewhere the old way still works. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "sr-only";
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}

/** Has the browser save a file. */
export function saveFile(name: string, content: Blob): void {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}
