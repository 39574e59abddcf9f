/** Functions that describe an invalid variable to the operator without revealing secrets. */

const SECRET_NAME = /SECRET|TOKEN|KEY|PASSWORD|DATABASE/;
const SHOWN_CHARACTERS = 100;

/**
 * Describes a variable's value and the fix, as text that follows `expected …`. It describes only the form of a value
 * that may contain a password or a secret.
 */
export function describeValue(name: string, value: string, hint?: string): string {
  const isSecret = SECRET_NAME.test(name) || value.includes("@");
  const parts = [isSecret ? undefined : quote(value), hint ?? findMistake(value)].filter(Boolean);
  return parts.length === 0 ? "" : `; found ${parts.join(", ")}`;
}

function quote(value: string): string {
  return JSON.stringify(value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value);
}

/** Finds a mistake around an otherwise valid value, such as quotes that a shell or an env file adds. */
export function findMistake(value: string): string | undefined {
  if (value !== value.trim()) return "a space or line break at its beginning or end: remove it";
  if (/^(["'`]).*\1$/s.test(value)) return "quotes around it: remove them";
  return undefined;
}

/** Returns the value without the mistakes that `findMistake` reports. */
export function correctMistakes(value: string): string {
  return value.trim().replace(/^(["'`])(.*)\1$/s, "$2");
}
