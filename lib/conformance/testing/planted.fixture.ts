/** Whether a fault is planted. It is asked only where the fault would make a difference. */
export type Has = (fault: string) => boolean;

/** The faults that are planted into a reference implementation, and those that it was asked about. */
export class Planted {
  readonly faults: ReadonlySet<string>;
  /** What nobody has asked about has changed nothing. */
  readonly asked = new Set<string>();

  constructor(faults: readonly string[]) {
    this.faults = new Set(faults);
  }

  readonly has: Has = (fault) => {
    this.asked.add(fault);
    return this.faults.has(fault);
  };
}
