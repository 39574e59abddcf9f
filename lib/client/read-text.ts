/** A text field of a JSON answer; null when it is absent, empty or no text. */
export function readText(body: unknown, name: string): string | null {
  if (typeof body !== "object" || body === null) return null;
  const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value;
  return typeof value === "string" && value !== "" ? value : null;
}
