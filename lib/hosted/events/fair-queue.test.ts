import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

/** A queue whose work ends when it is told to. */
function heldQueue(limits: { total: number; perLane: number; waiting: number }) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = new FairQueue(limits, (id) => {
    started.push(id);
    return new Promise((resolve) => ends.set(id, resolve));
  });
  const end = async (id: string) => {
    ends.get(id)?.();
    ends.delete(id);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, started, end, running: () => [...ends.keys()] };
}

describe("the queue of deliveries", () => {
  it("lets a lane that hangs hold up nobody else", () => {
    const { queue, started } = heldQueue({ total: 20, perLane: 2, waiting: 100 });
    for (let n = 0; n < 50; n++) queue.offer({ id: `hung-${n}`, lane: "hung" });
    queue.offer({ id: "other", lane: "other" });
    expect(started).toEqual(["hung-0", "hung-1", "other"]);
  });

  it("takes the lanes in turn once all places are taken", async () => {
    const { queue, started, end, running } = heldQueue({ total: 1, perLane: 1, waiting: 100 });
    for (const id of ["a1", "a2", "a3", "b1", "b2", "c1"]) queue.offer({ id, lane: id.slice(0, 1) });
    for (let [id] = running(); id; [id] = running()) await end(id);
    expect(started).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
  });

  it("takes no item twice while it waits or runs, and again afterwards", async () => {
    const { queue, started, end } = heldQueue({ total: 1, perLane: 1, waiting: 100 });
    expect(queue.offer({ id: "x", lane: "a" })).toBe(true);
    expect(queue.offer({ id: "x", lane: "a" })).toBe(false);
    await end("x");
    expect(queue.offer({ id: "x", lane: "a" })).toBe(true);
    expect(started).toEqual(["x", "x"]);
  });

  it("refuses what a full lane cannot hold", () => {
    const { queue } = heldQueue({ total: 1, perLane: 1, waiting: 2 });
    const taken = [1, 2, 3, 4, 5].map((n) => queue.offer({ id: `a${n}`, lane: "a" }));
    expect(taken).toEqual([true, true, true, false, false]);
  });

  it("ends what runs and forgets what waits when it closes", async () => {
    const { queue, started, end } = heldQueue({ total: 1, perLane: 1, waiting: 10 });
    queue.offer({ id: "a", lane: "a" });
    queue.offer({ id: "b", lane: "b" });
    const closed = queue.close();
    await end("a");
    await closed;
    expect(started).toEqual(["a"]);
    expect(queue.offer({ id: "c", lane: "c" })).toBe(false);
  });

  it("never exceeds its bounds and loses nothing, in any order of work", async () => {
    const work = fc.array(fc.record({ lane: fc.constantFrom("a", "b", "c"), end: fc.boolean() }), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(work, async (steps) => {
        const { queue, started, end, running } = heldQueue({ total: 4, perLane: 2, waiting: 1000 });
        let offered = 0;
        for (const step of steps) {
          const [oldest] = running();
          if (step.end && oldest) await end(oldest);
          else queue.offer({ id: `${step.lane}${offered++}`, lane: step.lane });
          expect(running().length).toBeLessThanOrEqual(4);
          for (const lane of ["a", "b", "c"]) {
            expect(running().filter((id) => id.startsWith(lane)).length).toBeLessThanOrEqual(2);
          }
        }
        for (let [id] = running(); id; [id] = running()) await end(id);
        expect(started.length).toBe(offered);
      }),
      { numRuns: 50 },
    );
  });
});
