import { elapsedMs, type Moment, thisMoment } from "./elapsed.ts";

/** What time it was at the server, and when this page heard of it. */
let heard: { server: number; at: Moment } | null = null;

/** Notes what time it is at our own server. @param date the `Date` of its answer */
export function hearServerTime(date: string | null): void {
  const server = Date.parse(date ?? "");
  if (!Number.isNaN(server)) heard = { server, at: thisMoment() };
}

/** Milliseconds since the epoch by the server's clock, to the second; by this device's until the server has answered. */
export function serverNow(): number {
  return heard ? heard.server + elapsedMs(heard.at) : Date.now();
}
