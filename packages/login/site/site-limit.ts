import { createWindowCounters } from "../http/request-limit.ts";
import { Refusal } from "../protocol/errors.ts";
import type { RequestHeaders } from "../server/web-request.ts";
import { createRequestLimit, requireClientAddress } from "./answer-login.ts";
import type { Site } from "./plugin.ts";

export type SiteLimit = {
  /** Must differ from the names of the site's other limits. */
  name: string;
  perMinute: number;
};

const MINUTE_SECONDS = 60;

/** @throws {Refusal} if the client is unknown */
export async function isWithinLimit(
  site: Site,
  headers: RequestHeaders,
  { name, perMinute }: SiteLimit,
): Promise<boolean> {
  const limit = { requests: perMinute, windowSeconds: MINUTE_SECONDS };
  const counters = createWindowCounters(
    `site:${name}`,
    limit,
    requireClientAddress(site, { headers }),
    site.limitScale,
  );
  try {
    await createRequestLimit(site, counters).take();
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === "rate_limited") return false;
    throw error;
  }
}
