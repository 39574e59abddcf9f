import { now, whenStopping } from "#lib/login/process/state.ts";
import { log } from "#lib/platform/log.ts";
import { claimEvent } from "./attempt-event.ts";
import { findTenantsWithDueEvents } from "./event-queue.ts";
import { type FairLimits, FairQueue, type Work } from "./fair-queue.ts";

/**
 * Requests at a time, for a process. While the endpoints of a thousand tenants hang for 15 s each, the next tenant's
 * event still goes out at once (decision 29).
 */
const LIMITS: FairLimits = { tenants: 1000, shared: 200, perLane: 5, takes: 4 };
const SWEEP_MS = 1_000;
/** Attempts under way may take this long to end when the process stops. */
const GRACE_MS = 3_000;

/** What sends the events of this process. */
export type EventSender = {
  /** Takes up a tenant's new events immediately; the sweep would find them a moment later. */
  wake(tenantId: string): void;
};

/**
 * Starts to send events. New ones come by `wake`; a sweep every second brings those whose time for another attempt
 * has come, and whatever a killed process or a database that was away left behind. The claim in the database
 * decides who sends, so any number of processes may do this side by side.
 */
export function startSending(): EventSender {
  const stopping = new AbortController();
  const queue = new FairQueue(LIMITS, takeNext);
  let timer = setTimeout(sweep, 0);
  let stopped = false;

  async function takeNext(tenantId: string, fullDomains: string[]): Promise<Work | "none" | "taken"> {
    try {
      const event = await claimEvent(tenantId, fullDomains);
      if (typeof event === "string") return event;
      return {
        lane: event.domainId,
        run: () => event.run(stopping.signal).catch(logFailure),
      };
    } catch (error) {
      logFailure(error);
      return "none";
    }
  }

  async function sweep(): Promise<void> {
    try {
      for (const tenantId of await findTenantsWithDueEvents(now())) queue.wake(tenantId);
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
  return { wake: (tenantId) => queue.wake(tenantId) };
}

// The event stays due, or its lease ends: the sweep finds it again.
function logFailure(error: unknown): void {
  log().warn({ error }, "deliveries are held up");
}
