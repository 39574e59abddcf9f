"use client";

import { type ComponentProps, useEffect, useRef, useSyncExternalStore } from "react";
import { type ButtonLook, buttonClass, joinClassNames } from "./button-look.tsx";

/**
 * Until the page is hydrated, the button ignores presses: they would otherwise be lost, or would submit a form with its
 * fields in the page's URL. It looks disabled only if `disabled` is set. Without JavaScript it is hidden. `type` is
 * "button" by default, so that no button submits a form by accident.
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
    className: joinClassNames("svc-scripted", disabled && "svc-disabled", className),
  };
  return <button type={type} className={buttonClass(look)} disabled={disabled || !hydrated} {...rest} />;
}

const never = () => () => {};

/** False on the server and in the first render of a server-rendered page. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

export function FocusedHeading({ className, ...rest }: Omit<ComponentProps<"h2">, "ref">) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2
      ref={heading}
      tabIndex={-1}
      className={joinClassNames("svc-heading svc-large", className)}
      {...rest}
    />
  );
}
