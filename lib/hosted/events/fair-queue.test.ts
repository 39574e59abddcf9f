import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue, type FairQueueLimits } from "./fair-queue.ts";

type Item = { tenant: string; lane: string; id: string };

/** The work ends only when the test asks for it. */
function heldQueue(limits: Partial<FairQueueLimits> = {}) {
  const due: Item[] = [];
  const startedIds: string[] = [];
  const running = new Map<string, { item: Item; end: () => void }>();
  const take = async (tenant: string, fullLanes: string[]) => {
    const index = due.findIndex((item) => item.tenant === tenant && !fullLanes.includes(item.lane));
    const [item] = index < 0 ? [] : due.splice(index, 1);
    if (!item) return "none";
    return {
      lane: item.lane,
      run: () => {
        startedIds.push(item.id);
        return new Promise<void>((end) => running.set(item.id, { item, end }));
      },
    };
  };
  const queue = new FairQueue({ tenants: 100, shared: 200, perLane: 5, takes: 4, ...limits }, take);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
  return {
    queue,
    due,
    started: startedIds,
    running: () => [...running.values()].map(({ item }) => item),
    /** Wakes the queue, as a job does. */
    async offer(...items: Item[]) {
      due.push(...items);
      for (const { tenant } of items) queue.wake(tenant);
      await settle();
    },
    async end(id: string | undefined) {
      running.get(id ?? "")?.end();
      running.delete(id ?? "");
      await settle();
    },
  };
}

const items = (tenant: string, lane: string, count: number): Item[] =>
  Array.from({ length: count }, (_, n) => ({
    tenant,
    lane: `${tenant}/${lane}`,
    id: `${tenant}/${lane}/${n}`,
  }));

describe("the delivery queue", () => {
  it("keeps slots free for other tenants when many slots are in use", async () => {
    const { offer, running } = heldQueue({ tenants: 1000 });
    for (let hog = 0; hog < 20; hog++) {
      await offer(...Array.from({ length: 10 }, (_, n) => items(`hog${hog}`, `d${n}`, 5)).flat());
      // A tenant gets a reserved first slot and at most a tenth of the free shared ones.
      if (hog === 0) expect(running().length).toBeLessThanOrEqual(20);
    }
    await offer(...items("other", "a", 2), ...items("other", "b", 2));
    expect(running().filter(({ tenant }) => tenant === "other").length).toBeGreaterThan(1);
  });

  it("serves the tenants in turn when slots are scarce", async () => {
    const { offer, started, running, end } = heldQueue({ tenants: 1, shared: 0, takes: 1 });
    await offer(...items("a", "x", 3), ...items("b", "x", 2), ...items("c", "x", 1));
    for (let [item] = running(); item; [item] = running()) await end(item.id);
    expect(started.map((id) => id[0])).toEqual(["a", "b", "c", "a", "b", "a"]);
  });

  it("continues to serve a tenant's other lanes while one lane is full", async () => {
    const { offer, started, running, end } = heldQueue({ perLane: 2 });
    await offer(...items("a", "hung", 4), ...items("a", "well", 1));
    expect(started).toEqual(["a/hung/0", "a/hung/1", "a/well/0"]);
    await end("a/hung/0");
    expect(running().map(({ id }) => id)).toEqual(["a/hung/1", "a/well/0", "a/hung/2"]);
  });

  it("checks for events again if it is woken during a check", async () => {
    const answers: ("none" | "taken")[] = ["taken", "none", "none"];
    let calls = 0;
    const queue = new FairQueue({ tenants: 1, shared: 0, perLane: 1, takes: 1 }, async () => {
      if (calls === 1) queue.wake("a");
      return answers[calls++] ?? "none";
    });
    queue.wake("a");
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(calls).toBe(3);
  });

  it("finishes running attempts but does not start new ones when it closes", async () => {
    const { queue, offer, started, end, due } = heldQueue({ tenants: 1, shared: 0 });
    await offer(...items("a", "x", 2));
    let isClosed = false;
    const closed = queue.close().then(() => (isClosed = true));
    await offer(...items("b", "x", 1));
    expect(isClosed).toBe(false);
    await end("a/x/0");
    await closed;
    expect(started).toEqual(["a/x/0"]);
    expect(due.map(({ id }) => id)).toEqual(["a/x/1", "b/x/0"]);
  });

  it("never exceeds its limits, starves a tenant or loses an event, whatever the order of work", async () => {
    const step = fc.record({
      tenant: fc.constantFrom("a", "b", "c", "d"),
      lane: fc.constantFrom("x", "y"),
      end: fc.boolean(),
    });
    const limits = { tenants: 4, shared: 6, perLane: 2, takes: 2 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { offer, started, running, end, due } = heldQueue(limits);
        let offered = 0;
        for (const { tenant, lane, end: isEnd } of steps) {
          if (isEnd && running().length > 0) await end(running()[0]?.id);
          else await offer({ tenant, lane: `${tenant}/${lane}`, id: `${tenant}${offered++}` });
          const now = running();
          expect(now.length).toBeLessThanOrEqual(limits.tenants + limits.shared);
          for (const name of ["a/x", "a/y", "b/x", "b/y"]) {
            expect(now.filter((item) => item.lane === name).length).toBeLessThanOrEqual(limits.perLane);
          }
          // Every tenant with due work has running work, because its first slot is reserved.
          for (const item of due) expect(now.map((other) => other.tenant)).toContain(item.tenant);
        }
        for (let [item] = running(); item; [item] = running()) await end(item.id);
        expect(started.length).toBe(offered);
        expect(new Set(started).size).toBe(offered);
      }),
      { numRuns: 60 },
    );
  });
});
