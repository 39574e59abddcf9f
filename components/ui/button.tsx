"use client";

import { type ComponentProps, useSyncExternalStore } from "react";
import { type ButtonLook, buttonClass } from "./button-link.tsx";
import { classNames } from "./class-names.ts";

/**
 * A button that a script answers, so it takes nothing before the page is hydrated: a press would be lost, and a form
 * would send its fields in the page's address. It looks disabled only where `disabled` says so. Without JavaScript it is
 * not there. `type` is "button" unless said otherwise, so that none submits a form by accident.
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

/** Whether React has taken the page over: false on the server, and in the first render of a page that it made. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
