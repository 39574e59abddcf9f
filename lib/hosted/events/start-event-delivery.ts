import { log } from "#lib/platform/log.ts";
import { now, onStopping } from "#packages/login/process/state.ts";
import { addSeconds } from "#packages/login/protocol/numbers.ts";
import { attemptDelivery, EVENT_LEASE_SECONDS } from "./attempt-delivery.ts";
import { claimNextEvent, findTenantsWithDueEvents } from "./event-queue.ts";
import { FairQueue, type FairQueueLimits, type QueuedWork } from "./fair-queue.ts";

/**
 * Even if the endpoints of a thousand tenants hang for 15 s each, the next tenant's event is sent immediately (decision
 * 29).
 */
const LIMITS: FairQueueLimits = { tenants: 1000, shared: 200, perLane: 5, takes: 4 };
const SWEEP_MS = 1_000;
/** How long a stopping process waits for its running attempts. */
const GRACE_MS = 3_000;

/**
 * Every second, a sweep finds events that are due again, and those that a killed process or a database outage left
 * behind. Any number of processes can send events simultaneously, because they claim each event in the database.
 * @returns a function that sends a tenant's new events immediately, without waiting for the sweep
 */
export function startEventDelivery(): (tenantId: string) => void {
  const stopping = new AbortController();
  const queue = new FairQueue(LIMITS, takeNext);
  let timer = setTimeout(sweep, 0);
  let stopped = false;

  async function takeNext(tenantId: string, fullDomains: string[]): Promise<QueuedWork | "none" | "taken"> {
    const at = now();
    const leaseUntil = addSeconds(at, EVENT_LEASE_SECONDS);
    try {
      const event = await claimNextEvent({ tenantId, exceptDomains: fullDomains, now: at, leaseUntil });
      if (typeof event === "string") return event;
      const run = () => attemptDelivery(event, { at, leaseUntil }, stopping.signal).catch(logFailure);
      return { lane: event.domainId, run };
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

  onStopping(async () => {
    stopped = true;
    clearTimeout(timer);
    const grace = setTimeout(() => stopping.abort(), GRACE_MS);
    await queue.close();
    clearTimeout(grace);
  });
  return (tenantId) => queue.wake(tenantId);
}

// The event is still due, or will be due after its lease, so the sweep finds it again.
function logFailure(error: unknown): void {
  log().warn({ error }, "deliveries are held up");
}
