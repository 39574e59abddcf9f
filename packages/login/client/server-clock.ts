import { currentMoment, elapsedMs, type Moment } from "./elapsed.ts";

let latest: { server: number; at: Moment } | null = null;

/** @param date the `Date` header of the server's response */
export function recordServerTime(date: string | null): void {
  const server = Date.parse(date ?? "");
  if (!Number.isNaN(server)) latest = { server, at: currentMoment() };
}

/**
 * In milliseconds since the epoch, with a precision of one second. Before the server's first response, returns this
 * device's time.
 */
export function serverNow(): number {
  return latest ? latest.server + elapsedMs(latest.at) : Date.now();
}
