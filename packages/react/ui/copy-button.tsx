"use client";

import { useEffect, useState } from "react";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "./button.tsx";
import type { ButtonLook } from "./button-look.tsx";
import { Check, Copy } from "./icons.tsx";

type CopyState = "idle" | "copied" | "failed";
const SHOWN_MS = 2_000;

/**
 * After copying, the button's own label says so, which screen readers announce.
 * @param props.iconOnly for a button next to the text that it copies
 */
export function CopyButton({
  text,
  children,
  iconOnly = false,
  ...look
}: ButtonLook & { text: string | null; children: React.ReactNode; iconOnly?: boolean }) {
  const { controls } = useTexts();
  const [state, setState] = useState<CopyState>("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState(text !== null && (await copyText(text)) ? "copied" : "failed");
  const Icon = state === "copied" ? Check : Copy;
  const quiet = {
    variant: "quiet",
    size: "small",
    className: "svc-icon-only",
    title: typeof children === "string" ? children : undefined,
  } as const;
  return (
    <Button {...look} {...(iconOnly && quiet)} disabled={text === null} onClick={copy}>
      <Icon aria-hidden className="svc-icon" />
      <span aria-live="polite" className={iconOnly && state !== "failed" ? "svc-sr-only" : undefined}>
        {state === "copied" ? controls.copied : state === "failed" ? controls.notCopied : children}
      </span>
    </Button>
  );
}

/** The clipboard API exists only over HTTPS or on localhost. On other pages, the older method still works. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "svc-sr-only";
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}

export function downloadFile(name: string, content: Blob): void {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}
