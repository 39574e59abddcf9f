/** The page at which the first sign-in by a key that was added elsewhere stops (contract 3). */

export const ADDED_KEY_PATH = "/login/added";

/** What a key's holder can say there. */
export const ADDED_KEY_DECISIONS = ["continue", "not-mine"] as const;

export type AddedKeyDecision = (typeof ADDED_KEY_DECISIONS)[number];

/** The page's path for a login. @param callbackUrl where its holder wanted to go, or null */
export function addedKeyPath(sid: string, callbackUrl: string | null): string {
  const query = new URLSearchParams({ sid });
  if (callbackUrl !== null) query.set("callbackUrl", callbackUrl);
  return `${ADDED_KEY_PATH}?${query}`;
}
