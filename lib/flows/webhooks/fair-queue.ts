/** Work of one owner, taken and ready to run. */
export type Work = {
  /** What it occupies besides its owner's place: a domain, which may hang. */
  lane: string;
  /** Must not throw. */
  run(): Promise<void>;
};

/** Takes an owner's next work, from lanes that are not full; must not throw. */
export type TakeNext = (owner: string, fullLanes: string[]) => Promise<Work | "none" | "taken">;

/** How much runs at a time. */
export type FairLimits = {
  /** Owners of whom something runs: each has a first place of its own, whatever all others' work does. */
  owners: number;
  /** Places beyond the first ones. An owner may have a tenth as many of them as are free. */
  shared: number;
  perLane: number;
  /** Owners whose next work is being looked for. */
  takes: number;
};

type Owner = {
  /** Something may be due. Asked for once more when it is woken while it is being looked for. */
  awake: boolean;
  taking: boolean;
  running: number;
  lanes: Map<string, number>;
};

/** The more are taken, the fewer one owner gets: those who come later find some free. */
const PART_OF_FREE = 0.1;

/**
 * Runs the owners' work side by side, so that nobody's hanging work holds up another's: every owner has a first place
 * of its own, and what is beyond is shared in turns. Nothing waits here but the names of the owners: what is next is
 * looked for when there is a place for it.
 */
export class FairQueue {
  readonly #limits: FairLimits;
  readonly #takeNext: TakeNext;
  /** Who is awake or has something running; who was served last stands last. */
  readonly #owners = new Map<string, Owner>();
  readonly #inFlight = new Set<Promise<void>>();
  #busyOwners = 0;
  #places = 0;
  #takes = 0;
  #closed = false;

  constructor(limits: FairLimits, takeNext: TakeNext) {
    this.#limits = limits;
    this.#takeNext = takeNext;
  }

  /** Says that an owner may have work. */
  wake(name: string): void {
    const owner = this.#owners.get(name) ?? { awake: false, taking: false, running: 0, lanes: new Map() };
    owner.awake = true;
    this.#owners.set(name, owner);
    this.#startWhatMay();
  }

  /** Takes nothing more; resolves when what runs has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  #startWhatMay(): void {
    for (const [name, owner] of this.#owners) {
      if (this.#closed || this.#takes >= this.#limits.takes || !this.#isRoom()) return;
      if (owner.awake && !owner.taking && this.#hasPlace(owner)) this.#follow(this.#take(name, owner));
    }
  }

  #isRoom(): boolean {
    return this.#busyOwners < this.#limits.owners || this.#free > 0;
  }

  get #free(): number {
    return this.#limits.shared - (this.#places - this.#busyOwners);
  }

  #hasPlace({ running }: Owner): boolean {
    if (running === 0) return this.#busyOwners < this.#limits.owners;
    return running - 1 < this.#free * PART_OF_FREE;
  }

  // The place is taken before what it is for is known: looking takes time.
  async #take(name: string, owner: Owner): Promise<void> {
    owner.taking = true;
    owner.awake = false;
    this.#takes++;
    this.#occupy(owner, 1);
    this.#owners.delete(name);
    this.#owners.set(name, owner);
    const full = [...owner.lanes].filter(([, running]) => running >= this.#limits.perLane);
    const work = await this.#takeNext(
      name,
      full.map(([lane]) => lane),
    );
    owner.taking = false;
    this.#takes--;
    if (work !== "none") owner.awake = true;
    if (typeof work === "object") this.#follow(this.#run(name, owner, work));
    else this.#leave(name, owner);
    this.#startWhatMay();
  }

  async #run(name: string, owner: Owner, { lane, run }: Work): Promise<void> {
    owner.lanes.set(lane, (owner.lanes.get(lane) ?? 0) + 1);
    await run();
    const left = (owner.lanes.get(lane) ?? 1) - 1;
    if (left > 0) owner.lanes.set(lane, left);
    else owner.lanes.delete(lane);
    // A lane that was full may have kept work from being found.
    if (left === this.#limits.perLane - 1) owner.awake = true;
    this.#leave(name, owner);
    this.#startWhatMay();
  }

  #occupy(owner: Owner, by: 1 | -1): void {
    const before = owner.running;
    owner.running += by;
    this.#places += by;
    if (before === 0) this.#busyOwners++;
    if (owner.running === 0) this.#busyOwners--;
  }

  #leave(name: string, owner: Owner): void {
    this.#occupy(owner, -1);
    this.#owners.delete(name);
    if (owner.running > 0 || owner.awake || owner.taking) this.#owners.set(name, owner);
  }

  #follow(work: Promise<void>): void {
    const followed = work.finally(() => this.#inFlight.delete(followed));
    this.#inFlight.add(followed);
  }
}
