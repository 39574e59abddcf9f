import { cache } from "react";
import type { Person } from "#components/account/person.tsx";
import { readProfile } from "#lib/account/profile.ts";
import * as login from "#lib/login.ts";

/** The browser session that requests a page, or null. Cached: layout and page ask once per request. */
export const currentSession = cache(() => login.currentSession());

/** The signed-in user as pages show them, or null without a sign-in. */
export async function currentPerson(): Promise<Person | null> {
  const session = await currentSession();
  if (!session) return null;
  const { userId } = session;
  const { name, pictureAt } = await readProfile(userId);
  return { userId, name, picture: pictureAt && `/api/account/picture?v=${pictureAt.getTime()}` };
}
