/** What has a clock of its own, which a test moves. */
export class Clocked {
  #offsetSeconds = 0;

  get seconds(): number {
    return Date.now() / 1000 + this.#offsetSeconds;
  }

  advance(seconds: number): void {
    this.#offsetSeconds += seconds;
  }

  /** The time, or what it will be in so many seconds. */
  iso(inSeconds = 0): string {
    return new Date((this.seconds + inSeconds) * 1000).toISOString();
  }
}
