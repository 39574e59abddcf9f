import type { ComponentProps } from "react";
import { type ButtonLook, buttonClass } from "./button-class.ts";

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className, href, ...rest }: ComponentProps<"a"> & ButtonLook) {
  return <a href={href} className={buttonClass({ variant, size, className })} {...rest} />;
}
