import { addSeconds } from "#packages/login/protocol/numbers.ts";
import { EVENT_RETRY_AFTER_LIMIT_SECONDS, EVENT_RETRY_DELAYS_SECONDS } from "../numbers.ts";

/** Delays are extended by up to a fifth, so that events that failed together are retried at different times. */
const JITTER = 0.2;

/**
 * `Retry-After` can postpone the next attempt by up to a day from now (RFC 9110, 10.2.3). Null after the last attempt.
 * @param input.attempts how many attempts have been made
 * @param input.random in [0, 1)
 */
export function scheduleNextAttempt(input: {
  now: Date;
  attempts: number;
  retryAfter: string | null;
  random: number;
}): Date | null {
  const { now, attempts, retryAfter, random } = input;
  const wait = EVENT_RETRY_DELAYS_SECONDS[attempts - 1];
  if (wait === undefined) return null;
  const requestedWait = Math.min(parseRetryAfter(retryAfter, now) ?? 0, EVENT_RETRY_AFTER_LIMIT_SECONDS);
  return addSeconds(now, Math.max(wait * (1 + JITTER * random), requestedWait));
}

/** In seconds after `now`, or null if the value is not valid. Accepts seconds and dates. */
export function parseRetryAfter(value: string | null, now: Date): number | null {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text);
  // HTTP dates begin with a weekday. JavaScript would also parse many other texts as dates.
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, (date - now.getTime()) / 1000);
}
