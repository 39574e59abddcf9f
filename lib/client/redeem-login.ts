import { signIn } from "./sign-in.ts";

/**
 * What came of redeeming a login: NextAuth's session is there, was denied, could not be asked for, or a page asks the
 * holder of an added key first.
 */
export type Redemption = "signed-in" | "refused" | "unreachable" | { stopsAt: string };

/**
 * Turns an authenticated login into a session for this browser (contract 4). The bound browser's cookie does
 * the proving; the sid only says which login is meant. Without a provider there is nothing to redeem: the browser is
 * signed in, and goes on.
 */
export async function redeemLogin(provider: string | null, sid: string): Promise<Redemption> {
  if (provider === null) return "signed-in";
  if (!navigator.onLine) return "unreachable";
  try {
    const { ok, status, stopsAt } = await signIn(provider, { sid });
    if (ok) return "signed-in";
    if (stopsAt) return { stopsAt };
    return status >= 500 ? "unreachable" : "refused";
  } catch {
    return "unreachable";
  }
}
