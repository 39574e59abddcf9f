/** The code's intent if it has one, otherwise its action. */
export type Purpose = "login" | "register" | "approve" | "add" | "recover";

/** If true, the account's user is asked to confirm the key. */
export const linksKey = (purpose: Purpose): boolean => purpose === "add" || purpose === "recover";

/** Shown before a key is linked to an existing account. Null if a purpose links no key. */
export const LINK_WARNINGS: Record<Purpose, string | null> = {
  login: null,
  register: null,
  approve: null,
  add:
    "The person who shows this code gets your key as a sign-in method for their account, and you then sign in to that account. " +
    "Continue only if you requested the code yourself, in a browser that is signed in to your own account. Otherwise decline.",
  recover:
    "The account that this code recovers gets your key, and you then sign in to that account. " +
    "Continue only if you have just entered your own recovery code. Otherwise decline.",
};

/** Each text completes the sentence "example.com asks: …". */
export const REQUEST_TEXTS: Record<Purpose, string> = {
  login: "sign in",
  register: "create an account",
  approve: "approve a change to your account",
  add: "link this key to an existing account",
  recover: "recover an existing account with this key",
};
