import { postAuthForm } from "./post-auth-form.ts";

/**
 * Signs this browser out. NextAuth's own client takes any answer for a success and leaves, a 503 too.
 * @returns whether it is signed out; never throws
 */
export async function signOut(): Promise<boolean> {
  try {
    const { ok } = await postAuthForm("signout", {});
    return ok;
  } catch {
    return false;
  }
}
