/** What came of redeeming a login: NextAuth's session is there, was denied, or could not be asked for. */
export type Redemption = "signed-in" | "refused" | "unreachable";

/** Loads NextAuth's client: kept out of the page's first load, and fetched while the code is being looked at. */
export const loadNextAuth = () => import("next-auth/react");

/**
 * Turns an authenticated login into a session for this browser (contract 4). The bound browser's cookie does
 * the proving; the sid only says which login is meant. Without a provider there is nothing to redeem: the browser is
 * signed in, and goes on.
 */
export async function redeemLogin(provider: string | null, sid: string): Promise<Redemption> {
  if (provider === null) return "signed-in";
  // NextAuth leaves the page for its own error page when it cannot reach the server: rather wait here.
  if (!navigator.onLine) return "unreachable";
  try {
    const { signIn } = await loadNextAuth();
    const answer = await signIn(provider, { sid, redirect: false });
    if (!answer) return "unreachable";
    if (answer.ok) return "signed-in";
    return answer.status >= 500 ? "unreachable" : "refused";
  } catch {
    return "unreachable";
  }
}
