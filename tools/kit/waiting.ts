import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 50;
const ANSWER_MS = 2_000;

/**
 * Calls `look` until it returns a value other than false.
 * @returns the value and the time that this took, or null if `timeoutMs` has passed
 */
export async function waitFor<Value>(
  look: () => Promise<Value | false> | Value | false,
  timeoutMs: number,
): Promise<{ value: Value; ms: number } | null> {
  const startedAt = performance.now();
  for (;;) {
    const value = await look();
    const ms = performance.now() - startedAt;
    if (value !== false) return { value, ms };
    if (ms > timeoutMs) return null;
    await sleep(LOOK_MS);
  }
}

/**
 * Waits until `look` returns true.
 * @throws {Error} if `timeoutMs` has passed
 */
export async function waitUntil(look: () => Promise<boolean> | boolean, timeoutMs: number): Promise<void> {
  if ((await waitFor(look, timeoutMs)) === null) throw new Error(`not within ${timeoutMs} ms`);
}

/**
 * Waits until a URL responds with 200. Returns how many milliseconds that took, or null if the URL did not respond with
 * 200 in time.
 */
export async function waitUntilOk(url: string, timeoutMs: number): Promise<number | null> {
  const found = await waitFor(async () => (await fetchStatus(url)) === 200, timeoutMs);
  return found?.ms ?? null;
}

/** Returns the status of a URL's response, or null if no response arrives in time. */
export async function fetchStatus(url: string): Promise<number | null> {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

/** Formats a duration in seconds, such as "1.5 s". */
export function formatSeconds(ms: number | null): string {
  return ms === null ? "never" : `${(ms / 1000).toFixed(1)} s`;
}
