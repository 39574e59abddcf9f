export const PROOF_TOKEN_PREFIX = "svc-verify=";

/** Some DNS panels and word processors add these around values. */
const QUOTATION_MARKS = /^["'`“”„«»‘’]+$/;

const SPACED = "the token with spaces in it: remove them";

/**
 * The tenant knows the token, so the reason reveals nothing about the text. Null for a text that does not resemble the
 * token. Also null for a text that begins like a token, because the tenant is shown its first word.
 */
export function explainTokenMismatch(text: string, token: string): string | null {
  const compactText = text.replace(/\s/g, "");
  if (compactText === token && text.trim() !== token) return SPACED;
  if (text.startsWith(PROOF_TOKEN_PREFIX)) return null;
  const bare = token.slice(PROOF_TOKEN_PREFIX.length);
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
  return compactText.includes(bare) ? `the token without ${PROOF_TOKEN_PREFIX} in front: add that` : null;
}
