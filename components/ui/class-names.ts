/** Joins class names, leaving out what is absent: `classNames("a", active && "b")`. */
export function classNames(...parts: (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(" ");
}
