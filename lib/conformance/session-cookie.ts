import type { Cookie } from "./cookies.ts";

/** What a session's cookie lacks, to be said after "the"; null where it lacks nothing. */
export function complaintAbout({ name, attributes }: Cookie, isSecure: boolean): string | null {
  if (!attributes.httponly) return `cookie ${name} is not HttpOnly.`;
  const sameSite = String(attributes.samesite).toLowerCase();
  if (sameSite !== "lax" && sameSite !== "strict")
    return `cookie ${name} has SameSite=${attributes.samesite}.`;
  return isSecure && !attributes.secure ? `cookie ${name} is not Secure.` : null;
}
