import { cache } from "react";
import type { Person } from "#components/account/person.tsx";
import { readProfile } from "#lib/account/profile.ts";
import * as login from "#lib/login.ts";
import { isDatabaseUnavailable } from "#packages/login/database/database-error.ts";

/** Cached, because both the layout and the page need it. */
export const currentSession = cache(() => login.currentSession());

/** Undefined if the database is unreachable. */
export async function sessionIfKnown() {
  return currentSession().catch(unknownWhileDown);
}

/** Undefined if the database is unreachable. */
export async function personIfKnown(): Promise<Person | null | undefined> {
  return currentPerson().catch(unknownWhileDown);
}

function unknownWhileDown(error: unknown): undefined {
  if (!isDatabaseUnavailable(error)) throw error;
}

export async function currentPerson(): Promise<Person | null> {
  const session = await currentSession();
  if (!session) return null;
  const { userId } = session;
  const { name, pictureAt } = await readProfile(userId);
  return { userId, name, picture: pictureAt && `/api/account/picture?v=${pictureAt.getTime()}` };
}
