import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** A link in running text. */
export function TextLink({ className, href, ...rest }: ComponentProps<"a">) {
  return (
    <a
      href={href}
      className={classNames(
        "font-semibold text-primary underline underline-offset-4 hover:no-underline",
        className,
      )}
      {...rest}
    />
  );
}
