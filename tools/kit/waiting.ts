import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 50;
const ANSWER_MS = 2_000;

/** @returns the first value other than false and how long it took, or null after `timeoutMs` */
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

/** @throws {Error} after `timeoutMs` */
export async function waitUntil(look: () => Promise<boolean> | boolean, timeoutMs: number): Promise<void> {
  if ((await waitFor(look, timeoutMs)) === null) throw new Error(`not within ${timeoutMs} ms`);
}

/** Returns milliseconds, or null if the URL did not respond with 200 in time. */
export async function waitUntilOk(url: string, timeoutMs: number): Promise<number | null> {
  const found = await waitFor(async () => (await fetchStatus(url)) === 200, timeoutMs);
  return found?.ms ?? null;
}

/** Null if the URL does not respond in time. */
export async function fetchStatus(url: string): Promise<number | null> {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

/** For example "1.5 s". */
export function formatSeconds(ms: number | null): string {
  return ms === null ? "never" : `${(ms / 1000).toFixed(1)} s`;
}
