import { log } from "#lib/platform/log.ts";
import { now, onStopping } from "#packages/login/process/state.ts";
import { addSeconds } from "#packages/login/protocol/numbers.ts";
import { attemptEvent, LEASE_SECONDS } from "./attempt-event.ts";
import { claimNextEvent, findTenantsWithDueEvents } from "./event-queue.ts";
import { type FairLimits, FairQueue, type QueuedWork } from "./fair-queue.ts";

/**
 * Concurrent requests per process. Even while the endpoints of a thousand tenants hang for 15 s each, the next tenant's
 * event is sent immediately (decision 29).
 */
const LIMITS: FairLimits = { tenants: 1000, shared: 200, perLane: 5, takes: 4 };
const SWEEP_MS = 1_000;
/** How long the process waits for attempts in progress when it stops. */
const GRACE_MS = 3_000;

/**
 * Starts to send events. A sweep every second finds those that are due for another attempt, and those that a killed
 * process or a database outage left behind. The claim in the database decides which process sends, so any number of
 * processes can do this concurrently.
 * @returns a function that sends a tenant's new events immediately, a moment before the sweep would find them
 */
export function startSending(): (tenantId: string) => void {
  const stopping = new AbortController();
  const queue = new FairQueue(LIMITS, takeNext);
  let timer = setTimeout(sweep, 0);
  let stopped = false;

  async function takeNext(tenantId: string, fullDomains: string[]): Promise<QueuedWork | "none" | "taken"> {
    const at = now();
    const leaseUntil = addSeconds(at, LEASE_SECONDS);
    try {
      const event = await claimNextEvent({ tenantId, exceptDomains: fullDomains, now: at, leaseUntil });
      if (typeof event === "string") return event;
      const run = () => attemptEvent(event, { at, leaseUntil }, stopping.signal).catch(logFailure);
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

// The event stays due or its lease ends, so the sweep finds it again.
function logFailure(error: unknown): void {
  log().warn({ error }, "deliveries are held up");
}
