/** Takes the lock in `folder` (made when absent), waiting as long as a living process holds it. */
export function acquireLock(
  folder: string,
  options?: { onWait?: (pid: number | undefined) => void },
): Promise<ProcessLock>;

export interface ProcessLock {
  release(): void;
  /** Keeps the lock held for as long as that child process lives, even when this one is killed before it. */
  include(pid: number): void;
}
