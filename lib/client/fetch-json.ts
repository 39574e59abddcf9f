/** What a request may come to when it does not come to an answer. Told as data: SWR stops polling on errors. */
export type Failure =
  /** 404 or 410: the server does not know the session any more. */
  | { kind: "gone" }
  /** 429. */
  | { kind: "rate-limited"; retryAfterSeconds: number }
  /** No answer: this browser or the server is offline. */
  | { kind: "unreachable" }
  /** Any other status, or an answer that is not JSON. */
  | { kind: "broken" };

export type Fetched = { kind: "ok"; body: unknown } | Failure;

/** Longer than the server waits for its database, so that its own answer is heard. */
export const ANSWER_TIMEOUT_MS = 15_000;
const RETRY_AFTER_DEFAULT_SECONDS = 30;
const RETRY_AFTER_LIMIT_SECONDS = 10 * 60;

/** Reads JSON from our own API; never throws. */
export async function fetchJson(url: string): Promise<Fetched> {
  let response: Response;
  try {
    response = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  } catch {
    return { kind: "unreachable" };
  }
  if (response.status === 404 || response.status === 410) return { kind: "gone" };
  if (response.status === 429) {
    return {
      kind: "rate-limited",
      retryAfterSeconds: retryAfterSeconds(response.headers.get("Retry-After")),
    };
  }
  if (!response.ok) return { kind: "broken" };
  try {
    return { kind: "ok", body: await response.json() };
  } catch {
    return { kind: "broken" };
  }
}

/** Seconds named by a `Retry-After` header, kept within 1 s to 10 min; half a minute when it says nothing useful. */
export function retryAfterSeconds(header: string | null): number {
  const seconds = header && /^\d{1,6}$/.test(header) ? Number(header) : RETRY_AFTER_DEFAULT_SECONDS;
  return Math.min(Math.max(seconds, 1), RETRY_AFTER_LIMIT_SECONDS);
}
