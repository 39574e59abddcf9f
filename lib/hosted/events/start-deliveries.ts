import "server-only";
import { now } from "#lib/platform/clock.ts";
import { log } from "#lib/platform/log.ts";
import { whenStopping } from "#lib/platform/shutdown.ts";
import { findOwnersWithDueEvents } from "../store/webhook-event.ts";
import { claimDelivery } from "./deliver-event.ts";
import { type FairLimits, FairQueue, type Work } from "./fair-queue.ts";

/**
 * Requests at a time, for a process. While the endpoints of a thousand tenants hang for 15 s each, the next tenant's
 * event still goes out at once (decision 29).
 */
const LIMITS: FairLimits = { tenants: 1000, shared: 200, perLane: 5, takes: 4 };
const SWEEP_MS = 1_000;
/** Attempts under way may take this long to end when the process stops. */
const GRACE_MS = 3_000;

/** Deliveries of this process. */
export type Deliveries = {
  /** Takes up a tenant's new events at once; the sweep would find them a moment later. */
  wake(ownerId: string): void;
};

/**
 * Starts to send events. New ones come by `wake`; a sweep every second brings those whose time for another attempt
 * has come, and whatever a killed process or a database that was away left behind. The claim in the database
 * decides who sends, so any number of processes may do this side by side.
 */
export function startDeliveries(): Deliveries {
  const stopping = new AbortController();
  const queue = new FairQueue(LIMITS, takeNext);
  let timer = setTimeout(sweep, 0);
  let stopped = false;

  async function takeNext(ownerId: string, fullDomains: string[]): Promise<Work | "none" | "taken"> {
    try {
      const delivery = await claimDelivery(ownerId, fullDomains);
      if (typeof delivery === "string") return delivery;
      return {
        lane: delivery.domainId,
        run: () => delivery.run(stopping.signal).catch(logFailure),
      };
    } catch (error) {
      logFailure(error);
      return "none";
    }
  }

  async function sweep(): Promise<void> {
    try {
      for (const ownerId of await findOwnersWithDueEvents(now())) queue.wake(ownerId);
    } catch (error) {
      logFailure(error);
    }
    if (!stopped) timer = setTimeout(sweep, SWEEP_MS);
  }

  whenStopping(async () => {
    stopped = true;
    clearTimeout(timer);
    const grace = setTimeout(() => stopping.abort(), GRACE_MS);
    await queue.close();
    clearTimeout(grace);
  });
  return { wake: (ownerId) => queue.wake(ownerId) };
}

// The event stays due, or its lease ends: the sweep finds it again.
function logFailure(error: unknown): void {
  log().warn({ error }, "deliveries are held up");
}
