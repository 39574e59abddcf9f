import useSWR from "swr";
import { fetchJson, readField } from "./fetch-json.ts";

/** Who is signed in, as a page knows it. A page shows by it, and the server decides: a response may be forged or old. */
export type LoginSession = {
  /** `unknown` while the service does not answer: nobody is shown as signed out then who may be signed in. */
  status: "loading" | "signed-in" | "signed-out" | "unknown";
  /** The user's id as `currentSession` has it; null unless somebody is signed in. */
  userId: number | string | null;
  /** Asks again, after a change that the page has made itself. */
  refresh: () => void;
};

/**
 * Who is signed in, for client components. All of a page share one request; it is asked again when the page gets the
 * focus, and when the network is back. Sites with NextAuth's `SessionProvider` may use its `useSession` as well.
 */
export function useLoginSession(): LoginSession {
  const { data, mutate } = useSWR("/api/auth/session", fetchJson, { shouldRetryOnError: false });
  const refresh = () => void mutate();
  if (data === undefined) return { status: "loading", userId: null, refresh };
  if (data.kind !== "ok") return { status: "unknown", userId: null, refresh };
  const id = readField(readField(data.body, "user"), "id");
  const userId = typeof id === "number" || typeof id === "string" ? id : null;
  return { status: userId === null ? "signed-out" : "signed-in", userId, refresh };
}
