import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { UserIds } from "../programs.ts";
import { SkippedScenario, type Stage } from "../stage.ts";

/** A file system of a few megabytes that can be filled up. */
export class LimitedDisk {
  readonly folder: string;

  /**
   * Mounts one in memory on an empty folder until the scenario ends.
   * @throws {SkippedScenario} if this process may not mount
   */
  constructor(stage: Stage, folder: string, megabytes: number, { uid, gid }: UserIds) {
    this.folder = folder;
    const options = `size=${megabytes}m,uid=${uid},gid=${gid},mode=700`;
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
    if (mounted.status !== 0) {
      throw new SkippedScenario("needs to mount a small file system, which this user may not");
    }
    stage.onEnd(() => spawnSync("umount", ["--lazy", folder]));
  }

  /** Uses up all remaining space. */
  fill(): void {
    const file = openSync(join(this.folder, "filler"), "w");
    for (const size of [64 * 1024, 4096]) {
      const block = Buffer.alloc(size);
      try {
        for (;;) writeSync(file, block);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      }
    }
    closeSync(file);
  }

  free(): void {
    rmSync(join(this.folder, "filler"));
  }
}
