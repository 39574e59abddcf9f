import type { Payload } from "./read-payload.ts";

/** What a code wants of the person who answers it. */
export type Purpose = "login" | "register" | "approve" | "add";

/** What a code is for. The site says so in the code, unsigned: shown to the person, trusted with nothing. */
export function purposeOf(payload: Payload): Purpose {
  return payload.intent ?? (payload.kind === "fast" ? "login" : payload.challenge.action);
}

/** What a person has to know before a key is linked: whoever relays such a code gives their own account away. */
export const LINKING_CAUTION =
  "Whoever shows this code gets your key as a way in to their account, and from then on you sign in to it. " +
  "Go on only if you asked for the code yourself, where you are signed in to your own account; otherwise decline.";

/** The same as a wish that a site has: "example.com asks: …". */
export const WISHES: Record<Purpose, string> = {
  login: "sign in",
  register: "create an account",
  approve: "approve a change to your account",
  add: "link this key to an existing account",
};
