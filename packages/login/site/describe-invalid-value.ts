const SECRET_NAME = /SECRET|TOKEN|KEY|PASSWORD|DATABASE/;
const SHOWN_CHARACTERS = 100;

/**
 * The text follows `expected …`. If the value might contain a password or another secret, it describes only the form of
 * the value.
 */
export function describeInvalidValue(name: string, value: string, hint?: string): string {
  const isSecret = SECRET_NAME.test(name) || value.includes("@");
  const parts = [isSecret ? undefined : quote(value), hint ?? findValueMistake(value)].filter(Boolean);
  return parts.length === 0 ? "" : `; found ${parts.join(", ")}`;
}

function quote(value: string): string {
  return JSON.stringify(value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value);
}

export function findValueMistake(value: string): string | undefined {
  if (value !== value.trim()) return "a space or line break at its beginning or end: remove it";
  if (/^(["'`]).*\1$/s.test(value)) return "quotes around it: remove them";
  return undefined;
}

export function correctValueMistakes(value: string): string {
  return value.trim().replace(/^(["'`])(.*)\1$/s, "$2");
}
