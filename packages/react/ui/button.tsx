"use client";

import { type ComponentProps, useEffect, useRef, useSyncExternalStore } from "react";
import { type ButtonLook, buttonClass, classNames } from "./button-look.tsx";

/**
 * A button that needs a script. The button ignores presses until the page is hydrated, because the press would be lost,
 * or a form would send its fields in the page's URL. It looks disabled only if `disabled` is set. Without JavaScript it
 * is hidden. `type` is "button" by default, so that no button submits a form by accident.
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
    className: classNames("svc-scripted", disabled && "svc-disabled", className),
  };
  return <button type={type} className={buttonClass(look)} disabled={disabled || !hydrated} {...rest} />;
}

const never = () => () => {};

/**
 * Returns whether React has taken over the page: false on the server, and in the first render of a page from the
 * server.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** A heading that takes the focus when it appears. */
export function FocusedHeading({ className, ...rest }: Omit<ComponentProps<"h2">, "ref">) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1} className={classNames("svc-heading svc-large", className)} {...rest} />
  );
}
