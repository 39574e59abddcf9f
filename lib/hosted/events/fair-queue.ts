/** Claimed work of one tenant, which is ready to run. */
export type QueuedWork = {
  /** The lane that the work occupies in addition to its tenant's slot: a domain, whose endpoint may hang. */
  lane: string;
  /** Must not throw. */
  run(): Promise<void>;
};

/** Claims a tenant's next work from lanes that are not full. Must not throw. */
type TakeNext = (tenant: string, fullLanes: string[]) => Promise<QueuedWork | "none" | "taken">;

/** The limits on concurrent work. */
export type FairLimits = {
  /** Tenants with work in progress. Each has a guaranteed first slot, regardless of the others. */
  tenants: number;
  /** Slots in addition to the first ones. A tenant may use a tenth of the free ones. */
  shared: number;
  perLane: number;
  /** Tenants whose next work is being looked up. */
  takes: number;
};

type Tenant = {
  /** True if work may be due. If this is set while the queue looks for the tenant's work, the queue looks again. */
  awake: boolean;
  taking: boolean;
  running: number;
  lanes: Map<string, number>;
};

/** The more slots are in use, the fewer a tenant gets, so that some stay free for other tenants. */
const PART_OF_FREE = 0.1;

/**
 * Runs the tenants' work concurrently, so that one tenant's hanging work does not delay another tenant's. Every tenant
 * has a guaranteed first slot; further slots are shared in turn. The queue stores only the tenants' names: a tenant's
 * next work is looked up when there is a slot for it.
 */
export class FairQueue {
  readonly #limits: FairLimits;
  readonly #takeNext: TakeNext;
  /** Tenants that may have work or have work in progress, in the order in which they were last served. */
  readonly #tenants = new Map<string, Tenant>();
  readonly #inFlight = new Set<Promise<void>>();
  #busyTenants = 0;
  #places = 0;
  #takes = 0;
  #closed = false;

  constructor(limits: FairLimits, takeNext: TakeNext) {
    this.#limits = limits;
    this.#takeNext = takeNext;
  }

  /** Wakes a tenant that may have work. */
  wake(name: string): void {
    const tenant = this.#tenants.get(name) ?? { awake: false, taking: false, running: 0, lanes: new Map() };
    tenant.awake = true;
    this.#tenants.set(name, tenant);
    this.#startNext();
  }

  /** Stops accepting work. Resolves after the work in progress has ended. */
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

  // The slot is reserved before the work is known, because looking for work takes time.
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
    // A lane that was full may have hidden other work.
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
