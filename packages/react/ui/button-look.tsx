import type { ComponentProps } from "react";

/** Joins class names, leaving out what is absent: `classNames("a", active && "b")`. */
export function classNames(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(" ");
}

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "base" | "small";

const BASE =
  "inline-flex items-center justify-center gap-2 rounded-base border text-balance text-center font-semibold motion-safe:transition-colors print:hidden";

/** One primary action per screen; danger is for actions that cannot be undone. */
const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    "border-transparent bg-primary text-primary-foreground hover:not-disabled:bg-primary-hover active:not-disabled:bg-primary-hover",
  secondary: "border-input bg-card text-foreground hover:not-disabled:bg-muted active:not-disabled:bg-muted",
  quiet: "border-transparent text-foreground hover:not-disabled:bg-muted active:not-disabled:bg-muted",
  danger: "border-input bg-card text-danger hover:not-disabled:bg-muted active:not-disabled:bg-muted",
};

/** 44 px is the smallest comfortable touch target; small buttons are for rows of tables and lists. */
const SIZES: Record<ButtonSize, string> = {
  base: "min-h-11 px-4 py-2 text-base",
  small: "min-h-9 px-3 py-1 text-sm",
};

export type ButtonLook = { variant?: ButtonVariant; size?: ButtonSize; className?: string };

/** The classes of what looks like a button. */
export function buttonClass({ variant = "secondary", size = "base", className }: ButtonLook = {}): string {
  return classNames(BASE, VARIANTS[variant], SIZES[size], className);
}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className, href, ...rest }: ComponentProps<"a"> & ButtonLook) {
  return <a href={href} className={buttonClass({ variant, size, className })} {...rest} />;
}
