import { cache } from "react";
import type { Person } from "#components/account/person.tsx";
import * as login from "#lib/account/login.ts";
import { readProfile } from "#lib/account/profile.ts";

/** The signed-in browser that asks for a page. Layout and page ask for the same one: once a request. */
export const currentSession = cache(() => login.currentSession());

/** Who is signed in, as their pages show them; null when nobody is. */
export async function currentPerson(): Promise<Person | null> {
  const session = await currentSession();
  if (!session) return null;
  const { userId } = session;
  const { name, pictureAt } = await readProfile(userId);
  return { userId, name, picture: pictureAt && `/api/account/picture?v=${pictureAt.getTime()}` };
}
