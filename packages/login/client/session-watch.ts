import { useEffect } from "react";
import useSWR from "swr";
import { openChannel } from "./browser-support.ts";
import { fetchJson, readField } from "./fetch-json.ts";

/** Also SWR's cache key. */
export const SESSION_URL = "/api/auth/session";
const CHANNEL = "svc-signed-out";

/** This page does not reload, because it is about to navigate away. */
export function announceSignOut(): void {
  // Stops this page's own listeners, which the message also reaches, from reloading the page.
  leaves = true;
  const channel = openChannel(CHANNEL);
  channel?.postMessage(null);
  channel?.close();
}

/**
 * A constant, because SWR would restart if it received a new object. The initial request is skipped, because the page
 * was rendered for the signed-in user.
 */
const LOOKING_AGAIN = { revalidateOnMount: false, shouldRetryOnError: false, focusThrottleInterval: 1_000 };

/**
 * Reloads the page once this user is no longer signed in. Checks when the page becomes visible again, and when another
 * tab has signed out.
 * @param userId as `currentSession` returns it
 */
export function useSessionWatch(userId: number | string): void {
  const { data, mutate } = useSWR(SESSION_URL, fetchJson, LOOKING_AGAIN);

  useEffect(() => {
    const channel = openChannel(CHANNEL);
    if (channel) channel.onmessage = () => void mutate();
    // Called when the browser restores the page from its back/forward cache.
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
    // If the service does not respond, the user may still be signed in, so the page is not reloaded.
    if (data?.kind !== "ok" || leaves || signIns > 0) return;
    const current = readField(readField(data.body, "user"), "id") ?? null;
    if (String(current) !== String(userId)) window.location.reload();
  }, [data, userId]);
}

let leaves = false;

/** Each of them will open another page. */
let signIns = 0;

export function pauseSessionWatch(): () => void {
  signIns += 1;
  return () => {
    signIns -= 1;
  };
}
