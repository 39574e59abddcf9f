import { processSingleton } from "../process/state.ts";
import type { Counter } from "./limit-counters.ts";

/** A process's memory of the callers that it counts. */

/** How many callers each map holds; beyond that the oldest is forgotten. */
const CALLERS_KEPT = 10_000;

const callers = processSingleton("limits", () => ({
  /** Callers over their limit, and when their window ends. Until then they are refused without a query. */
  exhausted: new Map<string, number>(),
  /** Counts while the database is unreachable. */
  counted: new Map<string, { requests: number; until: number }>(),
}));

/** Remembers that a caller has used up its limit. */
export function rememberExhausted(key: string, resetMs: number): void {
  remember(callers().exhausted, key, performance.now() + resetMs);
}

/** Milliseconds until a caller over its limit may send requests again; 0 for any other. */
export function exhaustedForMs(key: string): number {
  const { exhausted } = callers();
  const leftMs = (exhausted.get(key) ?? 0) - performance.now();
  if (leftMs > 0) return leftMs;
  exhausted.delete(key);
  return 0;
}

/** Counts a request in this process. */
export function countInMemory({ key, windowSeconds }: Counter): { requests: number; resetMs: number } {
  const now = performance.now();
  const { counted } = callers();
  const known = counted.get(key);
  const until = known && known.until > now ? known.until : now + windowSeconds * 1000;
  const requests = known?.until === until ? known.requests + 1 : 1;
  remember(counted, key, { requests, until });
  return { requests, resetMs: until - now };
}

function remember<Known>(kept: Map<string, Known>, key: string, known: Known): void {
  const [oldest] = kept.keys();
  if (kept.size >= CALLERS_KEPT && !kept.has(key) && oldest !== undefined) kept.delete(oldest);
  kept.set(key, known);
}
