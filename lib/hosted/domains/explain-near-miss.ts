/** The prefix of every token. */
export const TOKEN_PREFIX = "svc-verify=";

/** Pairs of quotation marks that some DNS panels and word processors put around a value. */
const QUOTATION_MARKS = /^["'`“”„«»‘’]+$/;

const SPACED = "the token with spaces in it: remove them";

/**
 * Returns the reason why a string that resembles the tenant's token is not that token. The tenant knows the token, so
 * the reason does not reveal the string itself. Returns null for any other string, and for one that begins like a
 * token, because such a string is shown up to its first space.
 */
export function explainNearMiss(text: string, token: string): string | null {
  const compactText = text.replace(/\s/g, "");
  if (compactText === token && text.trim() !== token) return SPACED;
  if (text.startsWith(TOKEN_PREFIX)) return null;
  const bare = token.slice(TOKEN_PREFIX.length);
  if (text.includes(token)) {
    const around = text.replace(token, "").trim();
    return QUOTATION_MARKS.test(around)
      ? "the token in quotation marks: remove them"
      : "the token with more text around it: remove that";
  }
  if (compactText.includes(token)) return SPACED;
  if (compactText.toLowerCase().includes(token.toLowerCase())) {
    return "the token in a different letter case: copy it exactly";
  }
  return compactText.includes(bare) ? `the token without ${TOKEN_PREFIX} in front: add that` : null;
}
