import { cache } from "react";
import type { Person } from "#components/account/person.tsx";
import { readProfile } from "#lib/account/profile.ts";
import * as login from "#lib/login.ts";
import { isDatabaseUnavailable } from "#packages/login/database/database-error.ts";

/** Returns the request's browser session, or null. Cached, because both the layout and the page need it. */
export const currentSession = cache(() => login.currentSession());

/** Like `currentSession`, but returns undefined if the database is unreachable. */
export async function sessionIfKnown() {
  return currentSession().catch(unknownWhileDown);
}

/** Like `currentPerson`, but returns undefined if the database is unreachable. */
export async function personIfKnown(): Promise<Person | null | undefined> {
  return currentPerson().catch(unknownWhileDown);
}

function unknownWhileDown(error: unknown): undefined {
  if (!isDatabaseUnavailable(error)) throw error;
}

/** Returns the signed-in user in the form that pages show, or null. */
export async function currentPerson(): Promise<Person | null> {
  const session = await currentSession();
  if (!session) return null;
  const { userId } = session;
  const { name, pictureAt } = await readProfile(userId);
  return { userId, name, picture: pictureAt && `/api/account/picture?v=${pictureAt.getTime()}` };
}
