/** A field of a JSON answer, as it came; undefined when there is none. */
export function readField(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null) return undefined;
  return Object.getOwnPropertyDescriptor(body, name)?.value;
}

/** A text field of a JSON answer; null when it is absent, empty or no text. */
export function readText(body: unknown, name: string): string | null {
  const value = readField(body, name);
  return typeof value === "string" && value !== "" ? value : null;
}
