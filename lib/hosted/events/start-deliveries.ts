import "server-only";
import { now } from "#lib/platform/clock.ts";
import { log } from "#lib/platform/log.ts";
import { whenStopping } from "#lib/platform/shutdown.ts";
import { findDomainOfEvent, findDueEvents } from "../store/webhook-event.ts";
import { deliverEvent } from "./deliver-event.ts";
import { FairQueue } from "./fair-queue.ts";

/** Requests at a time: of the process, and to one domain, which may hang in all of them for 15 s each. */
const LIMITS = { total: 200, perLane: 5, waiting: 1000 };
const SWEEP_MS = 2_000;
const SWEEP_SIZE = { perDomain: 200, limit: 1000 };
/** What is under way when the process stops may end by itself for this long. */
const GRACE_MS = 3_000;

/** Deliveries of this process. */
export type Deliveries = {
  /** Takes up a new event at once; the sweep would find it a moment later. */
  wake(eventId: string): Promise<void>;
};

/**
 * Starts to deliver events. New ones come by `wake`; a sweep every two seconds brings those whose time for another
 * try has come, and whatever a killed process or a database that was away left behind. The claim in the database
 * decides who sends, so any number of processes may do this side by side.
 */
export function startDeliveries(): Deliveries {
  const stopping = new AbortController();
  const queue = new FairQueue(LIMITS, (id) => deliverEvent(id, stopping.signal).catch(logFailure));
  let timer = setTimeout(sweep, 0);
  let stopped = false;

  async function sweep(): Promise<void> {
    try {
      for (const { id, domainId } of await findDueEvents(now(), SWEEP_SIZE)) {
        queue.offer({ id, lane: domainId });
      }
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
  return {
    async wake(eventId) {
      const domainId = await findDomainOfEvent(eventId);
      if (domainId) queue.offer({ id: eventId, lane: domainId });
    },
  };
}

// The event stays due, or its lease ends: the sweep brings it again.
function logFailure(error: unknown): void {
  log().warn({ error }, "deliveries are held up");
}
