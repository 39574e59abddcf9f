export type QueuedWork = {
  /** Occupied in addition to a slot. A lane is a domain, whose endpoint can hang. */
  lane: string;
  /** Must not throw. */
  run(): Promise<void>;
};

/** Skips lanes that are full. Must not throw. */
type TakeNext = (tenant: string, fullLanes: string[]) => Promise<QueuedWork | "none" | "taken">;

export type FairQueueLimits = {
  /**
   * The number of tenants that can have work in progress. Each of them has a first slot that no other tenant can use.
   */
  tenants: number;
  /** The number of shared slots. A tenant can use a tenth of those that are free. */
  shared: number;
  perLane: number;
  /** The number of tenants whose next work can be looked up concurrently. */
  takes: number;
};

type Tenant = {
  /** True if work might be due. If set during a lookup, the queue looks again. */
  awake: boolean;
  taking: boolean;
  running: number;
  lanes: Map<string, number>;
};

/** The fewer slots are free, the fewer a tenant gets, so that some remain for other tenants. */
const PART_OF_FREE = 0.1;

/**
 * Runs tenants' work concurrently, so that a tenant's hanging work does not delay other tenants. Every tenant has a
 * reserved first slot. Tenants take turns for the shared slots. The queue stores only the tenants' names, and looks up
 * a tenant's next work when a slot is free.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #takeNext: TakeNext;
  /** Tenants that might have work or have work in progress, starting with the one that was served least recently. */
  readonly #tenants = new Map<string, Tenant>();
  readonly #inFlight = new Set<Promise<void>>();
  #busyTenants = 0;
  #places = 0;
  #takes = 0;
  #closed = false;

  constructor(limits: FairQueueLimits, takeNext: TakeNext) {
    this.#limits = limits;
    this.#takeNext = takeNext;
  }

  wake(name: string): void {
    const tenant = this.#tenants.get(name) ?? { awake: false, taking: false, running: 0, lanes: new Map() };
    tenant.awake = true;
    this.#tenants.set(name, tenant);
    this.#startNext();
  }

  /** Resolves when all running work has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  #startNext(): void {
    for (const [name, tenant] of this.#tenants) {
      if (this.#closed || this.#takes >= this.#limits.takes || !this.#hasRoom()) return;
      if (tenant.awake && !tenant.taking && this.#hasPlace(tenant)) this.#follow(this.#take(name, tenant));
    }
  }

  #hasRoom(): boolean {
    return this.#busyTenants < this.#limits.tenants || this.#free > 0;
  }

  get #free(): number {
    return this.#limits.shared - (this.#places - this.#busyTenants);
  }

  #hasPlace({ running }: Tenant): boolean {
    if (running === 0) return this.#busyTenants < this.#limits.tenants;
    return running - 1 < this.#free * PART_OF_FREE;
  }

  // Reserves the slot first, because looking for work takes time.
  async #take(name: string, tenant: Tenant): Promise<void> {
    tenant.taking = true;
    tenant.awake = false;
    this.#takes++;
    this.#occupy(tenant, 1);
    this.#tenants.delete(name);
    this.#tenants.set(name, tenant);
    const fullLanes = [...tenant.lanes].filter(([, running]) => running >= this.#limits.perLane);
    const work = await this.#takeNext(
      name,
      fullLanes.map(([lane]) => lane),
    );
    tenant.taking = false;
    this.#takes--;
    if (work !== "none") tenant.awake = true;
    if (typeof work === "object") this.#follow(this.#run(name, tenant, work));
    else this.#leave(name, tenant);
    this.#startNext();
  }

  async #run(name: string, tenant: Tenant, { lane, run }: QueuedWork): Promise<void> {
    tenant.lanes.set(lane, (tenant.lanes.get(lane) ?? 0) + 1);
    await run();
    const remaining = (tenant.lanes.get(lane) ?? 1) - 1;
    if (remaining > 0) tenant.lanes.set(lane, remaining);
    else tenant.lanes.delete(lane);
    // While the lane was full, its other work was not claimed.
    if (remaining === this.#limits.perLane - 1) tenant.awake = true;
    this.#leave(name, tenant);
    this.#startNext();
  }

  #occupy(tenant: Tenant, by: 1 | -1): void {
    const previouslyRunning = tenant.running;
    tenant.running += by;
    this.#places += by;
    if (previouslyRunning === 0) this.#busyTenants++;
    if (tenant.running === 0) this.#busyTenants--;
  }

  #leave(name: string, tenant: Tenant): void {
    this.#occupy(tenant, -1);
    this.#tenants.delete(name);
    if (tenant.running > 0 || tenant.awake || tenant.taking) this.#tenants.set(name, tenant);
  }

  #follow(work: Promise<void>): void {
    const followed = work.finally(() => this.#inFlight.delete(followed));
    this.#inFlight.add(followed);
  }
}
