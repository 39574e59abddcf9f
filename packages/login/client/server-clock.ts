import { elapsedMs, type Moment, thisMoment } from "./elapsed.ts";

/** The server's time in its last answer, and when that came. */
let latest: { server: number; at: Moment } | null = null;

/** Notes what time it is at our own server. @param date the `Date` of its answer */
export function noteServerTime(date: string | null): void {
  const server = Date.parse(date ?? "");
  if (!Number.isNaN(server)) latest = { server, at: thisMoment() };
}

/** Milliseconds since the epoch by the server's clock, to the second; by this device's until the server has answered. */
export function serverNow(): number {
  return latest ? latest.server + elapsedMs(latest.at) : Date.now();
}
