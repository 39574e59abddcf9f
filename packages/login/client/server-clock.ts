import { elapsedMs, type Moment, thisMoment } from "./elapsed.ts";

/** The server's time in its last response, and the time at which that response arrived. */
let latest: { server: number; at: Moment } | null = null;

/** Stores the time of our own server. @param date the `Date` header of its response */
export function noteServerTime(date: string | null): void {
  const server = Date.parse(date ?? "");
  if (!Number.isNaN(server)) latest = { server, at: thisMoment() };
}

/**
 * Returns the milliseconds since the epoch on the server's clock, with a precision of one second. Uses this device's
 * clock before the server's first response.
 */
export function serverNow(): number {
  return latest ? latest.server + elapsedMs(latest.at) : Date.now();
}
