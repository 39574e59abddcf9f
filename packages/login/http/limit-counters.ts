import { networkOf } from "./client-address.ts";
import {
  CLIENTS_PER_NETWORK,
  REQUESTS_PER_DAY,
  REQUESTS_PER_HOUR,
  REQUESTS_PER_MINUTE,
  WINDOW_SECONDS,
} from "./numbers.ts";

/** How many requests a limit allows in a window of how many seconds. */
type Window = { requests: number; windowSeconds: number };

const LIMITS = {
  ...windowsOf(WINDOW_SECONDS, REQUESTS_PER_MINUTE),
  ...windowsOf(60 * 60, REQUESTS_PER_HOUR),
  ...windowsOf(24 * 60 * 60, REQUESTS_PER_DAY),
};

export type LimitName = keyof typeof LIMITS;

/** A counter, and how many requests it allows in a window. */
export type Counter = { key: string; limit: number; windowSeconds: number };

/** A caller's own counter and, for an IPv6 client, its network's. */
export type Counters = readonly [caller: Counter, ...network: Counter[]];

/** A limit's counters. @param scale multiplies the limit */
export function limitCounters(name: LimitName, caller: string, scale = 1): Counters {
  return windowCounters(name, LIMITS[name], caller, scale);
}

/** The counters of any number of requests in a window. @param scale multiplies the number */
export function windowCounters(
  name: string,
  { requests, windowSeconds }: Window,
  caller: string,
  scale = 1,
): Counters {
  const limit = Math.max(1, Math.round(requests * scale));
  const network = networkOf(caller);
  const own = { key: `${name}:${caller}`, limit, windowSeconds };
  if (!network) return [own];
  return [own, { key: `${name}:${network}`, limit: limit * CLIENTS_PER_NETWORK, windowSeconds }];
}

function windowsOf<Name extends string>(windowSeconds: number, limits: Record<Name, number>) {
  const entries = Object.entries<number>(limits).map(([name, requests]) => [
    name,
    { requests, windowSeconds },
  ]);
  return Object.fromEntries(entries) as Record<Name, Window>;
}
