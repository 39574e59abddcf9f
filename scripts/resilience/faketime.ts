import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackage } from "./debian-package.ts";
import { Skipped, type Stage } from "./stage.ts";

/** A process's wall clock that can be set while it runs (libfaketime). */
export type FakeClock = { variables: Record<string, string>; set(offsetSeconds: number): void };

/**
 * Makes one. The monotonic clock is left alone: no system lets anybody set it.
 * @throws {Skipped} where there is no libfaketime
 */
export function fakeClock(stage: Stage, offsetSeconds: number): FakeClock {
  const library = findLibrary();
  const folder = mkdtempSync(join(tmpdir(), "svc-login-clock-"));
  stage.onEnd(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "offset");
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}s\n`);
  set(offsetSeconds);
  return {
    set,
    variables: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      DONT_FAKE_MONOTONIC: "1",
    },
  };
}

function findLibrary(): string {
  const find = () => globSync("/usr/lib/{*/,}faketime/libfaketimeMT.so.1").find((path) => existsSync(path));
  if (!find()) installPackage("faketime");
  const library = find();
  if (!library) throw new Skipped("needs libfaketime");
  return library;
}
