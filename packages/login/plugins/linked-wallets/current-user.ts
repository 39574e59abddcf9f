import { limitDatabaseWait } from "../../database/database-wait.ts";
import { refusal } from "../../protocol/errors.ts";
import { APPROVAL_SECONDS, addSeconds } from "../../protocol/numbers.ts";
import type { RequestHeaders } from "../../server/web-request.ts";
import type { Site } from "../../site/plugin.ts";
import { SITE_USER_ID_PATTERN } from "../../site/site-users.ts";
import { notSignedInRefusal } from "../approvals/requester.ts";

/**
 * The user may have signed in by any method. The function must rely only on what the site itself has verified, such as
 * its session cookie.
 */
export type GetCurrentUser = (headers: Headers) => Promise<{
  /** As returned by `findOrCreateUser`. */
  id: string;
  /** Renewing the session does not change this time. */
  signedInAt: Date;
} | null>;

export type SignedInUser = NonNullable<Awaited<ReturnType<GetCurrentUser>>>;

/** The site's clock can be ahead of the database's. */
const CLOCK_SECONDS = 60;

/** @throws {Refusal} 401 if no user is signed in; 503 if the site's function fails */
export async function requireSignedInUser(
  { core, options, onFailure }: Site,
  headers: RequestHeaders,
): Promise<SignedInUser> {
  let user: Awaited<ReturnType<GetCurrentUser>> | undefined;
  try {
    user = await limitDatabaseWait(async () => options.currentUser?.(new Headers([...headers.entries()])));
    if (user) assertUser(user, addSeconds(core.now(), CLOCK_SECONDS));
  } catch (error) {
    onFailure("currentUser failed", error);
    throw refusal("service_unavailable", "Your account could not be loaded. Try again in a moment.", {
      headers: { "Retry-After": "2" },
    });
  }
  if (!user) throw notSignedInRefusal();
  return user;
}

/** @throws {TypeError} if the site returns invalid values, such as the end of a session instead of its start */
function assertUser({ id, signedInAt }: SignedInUser, latest: Date): void {
  if (typeof id !== "string" || !SITE_USER_ID_PATTERN.test(id)) {
    throw new TypeError("currentUser has to return an id of 1 to 255 characters, or null.");
  }
  if (!(signedInAt instanceof Date && signedInAt <= latest)) {
    throw new TypeError("currentUser has to return signedInAt, a Date that is not in the future.");
  }
}

export const isRecentSignIn = ({ core }: Site, { signedInAt }: SignedInUser) =>
  signedInAt >= addSeconds(core.now(), -APPROVAL_SECONDS);

/**
 * @param next what the user should do after signing in again
 * @throws {Refusal} as `requireSignedInUser`; 403 `approval_required` if the sign-in is more than ten minutes old
 */
export async function requireRecentlySignedInUser(
  site: Site,
  headers: RequestHeaders,
  next: "add the wallet" | "remove it",
): Promise<SignedInUser> {
  const user = await requireSignedInUser(site, headers);
  if (isRecentSignIn(site, user)) return user;
  throw refusal(
    "approval_required",
    `You signed in more than ten minutes ago. Sign in again, and then ${next}.`,
  );
}
