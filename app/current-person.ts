import { cache } from "react";
import type { Person } from "#components/account/person.tsx";
import { readProfile } from "#lib/account/profile.ts";
import * as login from "#lib/login.ts";
import { isDatabaseUnavailable } from "#packages/login/database/database-error.ts";

/** The browser session that requests a page, or null. Cached, because the layout and the page ask once per request. */
export const currentSession = cache(() => login.currentSession());

/**
 * Returns the session for a page that also works without the database, or undefined if it is unknown who is signed in.
 */
export async function sessionIfKnown() {
  return currentSession().catch(unknownWhileDown);
}

/** Like `currentPerson`, but undefined if the database cannot be reached. */
export async function personIfKnown(): Promise<Person | null | undefined> {
  return currentPerson().catch(unknownWhileDown);
}

function unknownWhileDown(error: unknown): undefined {
  if (!isDatabaseUnavailable(error)) throw error;
}

/** Returns the signed-in user as pages show them, or null if no one is signed in. */
export async function currentPerson(): Promise<Person | null> {
  const session = await currentSession();
  if (!session) return null;
  const { userId } = session;
  const { name, pictureAt } = await readProfile(userId);
  return { userId, name, picture: pictureAt && `/api/account/picture?v=${pictureAt.getTime()}` };
}
