type Item = { id: string; lane: string };

/**
 * Runs work beside each other, bounded in total and for each lane, taking the lanes in turn: a lane whose work
 * hangs holds up nobody else's. An item that waits or runs already is not taken twice.
 */
export class FairQueue {
  readonly #run: (id: string) => Promise<void>;
  readonly #limits: { total: number; perLane: number; waiting: number };
  /** What waits, by lane; the lane that was served last stands last. */
  readonly #waiting = new Map<string, Item[]>();
  readonly #known = new Set<string>();
  readonly #running = new Map<string, number>();
  readonly #inFlight = new Set<Promise<void>>();
  #closed = false;

  /** @param run must not throw; `limits.waiting` is how many items a lane may have waiting */
  constructor(
    limits: { total: number; perLane: number; waiting: number },
    run: (id: string) => Promise<void>,
  ) {
    this.#limits = limits;
    this.#run = run;
  }

  /** Takes an item; false when it is here already, or its lane is full, or the queue was closed. */
  offer(item: Item): boolean {
    const lane = this.#waiting.get(item.lane) ?? [];
    if (this.#closed || this.#known.has(item.id) || lane.length >= this.#limits.waiting) return false;
    this.#known.add(item.id);
    lane.push(item);
    this.#waiting.set(item.lane, lane);
    this.#startWhatMay();
    return true;
  }

  /** Forgets what waits and takes nothing more; resolves when what runs has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    await Promise.all(this.#inFlight);
  }

  #startWhatMay(): void {
    while (this.#inFlight.size < this.#limits.total) {
      const item = this.#takeNext();
      if (!item) return;
      this.#start(item);
    }
  }

  #takeNext(): Item | null {
    for (const [lane, items] of this.#waiting) {
      if ((this.#running.get(lane) ?? 0) >= this.#limits.perLane) continue;
      const item = items.shift();
      this.#waiting.delete(lane);
      if (items.length > 0) this.#waiting.set(lane, items);
      if (item) return item;
    }
    return null;
  }

  #start({ id, lane }: Item): void {
    this.#running.set(lane, (this.#running.get(lane) ?? 0) + 1);
    const work = this.#run(id).finally(() => {
      this.#inFlight.delete(work);
      this.#known.delete(id);
      const left = (this.#running.get(lane) ?? 1) - 1;
      if (left > 0) this.#running.set(lane, left);
      else this.#running.delete(lane);
      this.#startWhatMay();
    });
    this.#inFlight.add(work);
  }
}
