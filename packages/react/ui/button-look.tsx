import type { ComponentProps } from "react";

/** Omits missing names: `joinClassNames("a", active && "b")`. */
export function joinClassNames(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(" ");
}

/** Use one primary button per screen. Danger is for irreversible actions. */
export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";
/** Small buttons are for tables and lists. */
export type ButtonSize = "base" | "small";

export type ButtonLook = { variant?: ButtonVariant; size?: ButtonSize; className?: string };

export function buttonClass({ variant = "secondary", size = "base", className }: ButtonLook = {}): string {
  return joinClassNames("svc-button", `svc-${variant}`, size === "small" && "svc-small", className);
}

export function ButtonLink({ variant, size, className, href, ...rest }: ComponentProps<"a"> & ButtonLook) {
  return <a href={href} className={buttonClass({ variant, size, className })} {...rest} />;
}
