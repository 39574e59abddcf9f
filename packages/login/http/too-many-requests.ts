import { Refusal } from "../protocol/errors.ts";

/** The `RateLimit-*` headers of an answer. */
export function limitHeaders(limit: number, remaining: number, resetMs: number) {
  return {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(Math.max(0, remaining)),
    "ratelimit-reset": String(Math.max(1, Math.ceil(resetMs / 1000))),
  };
}

/** The refusal of a request over a limit. Only this makes refusals with this code, so that each names its limit. */
export function tooManyRequests(limit: number, resetMs: number, message?: string): Refusal {
  const headers = limitHeaders(limit, 0, resetMs);
  const { "ratelimit-reset": wait } = headers;
  return new Refusal(
    "rate_limited",
    message ?? `Too many requests. Try again in ${durationText(Number(wait))}.`,
    {
      details: { retry_after: Number(wait) },
      headers: { ...headers, "Retry-After": wait },
    },
  );
}

/** A duration as people say it, rounded up. */
function durationText(seconds: number): string {
  const [size, unit] = seconds > 7200 ? [3600, "hour"] : seconds > 120 ? [60, "minute"] : [1, "second"];
  const count = Math.ceil(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
