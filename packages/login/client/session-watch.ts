import { useEffect } from "react";
import useSWR from "swr";
import { openChannel } from "./browser-support.ts";
import { fetchJson, readField } from "./fetch-json.ts";

/** The endpoint that returns the signed-in user. It is also SWR's key for the response. */
export const SESSION_URL = "/api/auth/session";
const CHANNEL = "svc-signed-out";

/**
 * Notifies this browser's other tabs of a sign-out, so that they stop showing the account. This page is not reloaded,
 * because it navigates to its own next page.
 */
export function announceSignOut(): void {
  // A channel also reaches the other listeners on the same page.
  leaves = true;
  const channel = openChannel(CHANNEL);
  channel?.postMessage(null);
  channel?.close();
}

/**
 * The options are at module level, because SWR would restart for a new object. The page's own response contains the
 * signed-in user.
 */
const LOOKING_AGAIN = { revalidateOnMount: false, shouldRetryOnError: false, focusThrottleInterval: 1_000 };

/**
 * Reloads a page that shows a user's account once that user is no longer signed in here. It checks when the page
 * becomes visible again, and when another tab has signed out.
 * @param userId the user that the page shows, as in `currentSession`
 */
export function useSessionWatch(userId: number | string): void {
  const { data, mutate } = useSWR(SESSION_URL, fetchJson, LOOKING_AGAIN);

  useEffect(() => {
    const channel = openChannel(CHANNEL);
    if (channel) channel.onmessage = () => void mutate();
    // The browser shows the page from its cache again (Back).
    const shownAgain = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      leaves = false;
      void mutate();
    };
    window.addEventListener("pageshow", shownAgain);
    return () => {
      channel?.close();
      window.removeEventListener("pageshow", shownAgain);
    };
  }, [mutate]);

  useEffect(() => {
    // While the service does not respond, a signed-in user counts as signed in.
    if (data?.kind !== "ok" || leaves || signIns > 0) return;
    const current = readField(readField(data.body, "user"), "id") ?? null;
    if (String(current) !== String(userId)) window.location.reload();
  }, [data, userId]);
}

/** Whether this page has signed the user out and is about to navigate away. */
let leaves = false;

/** The number of this page's logins that are signing in. Each will navigate to its own next page. */
let signIns = 0;

/** Prevents the page from being reloaded until the returned function is called. */
export function pauseSessionWatch(): () => void {
  signIns += 1;
  return () => {
    signIns -= 1;
  };
}
