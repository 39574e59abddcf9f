import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Skipped, type Stage } from "./stage.ts";

const BLOCK = Buffer.alloc(64 * 1024);

/** A file system of a few megabytes that can be filled up. */
export class SmallDisk {
  readonly folder: string;

  /**
   * Mounts one in memory, on an empty folder, until the scenario is over.
   * @throws {Skipped} where this process may not mount
   */
  constructor(
    stage: Stage,
    { folder, megabytes, user }: { folder: string; megabytes: number; user: { uid: number; gid: number } },
  ) {
    this.folder = folder;
    const options = `size=${megabytes}m,uid=${user.uid},gid=${user.gid},mode=700`;
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", this.folder]);
    if (mounted.status !== 0) {
      throw new Skipped("needs to mount a small file system, which this user may not");
    }
    stage.onEnd(() => spawnSync("umount", ["--lazy", this.folder]));
  }

  /** Takes all the room that is left. */
  fill(): void {
    const file = openSync(join(this.folder, "filler"), "w");
    try {
      for (let size = BLOCK.length; size > 0; ) {
        try {
          writeSync(file, BLOCK, 0, size);
        } catch (error) {
          if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
          // Less than a block is left.
          size = size > 4096 ? 4096 : 0;
        }
      }
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(join(this.folder, "filler"));
  }
}
