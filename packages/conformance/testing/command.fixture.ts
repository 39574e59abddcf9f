import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, onTestFinished, vi } from "vitest";
import { main } from "../main.ts";

/** In a test's own folder. Records the output instead of printing it. */
export function createTestCommand({ isTTY }: { isTTY: boolean }) {
  const command = {
    folder: "",
    printed: "",
    run: (...args: string[]) => main(args, { cwd: command.folder }),
    read: (name: string) => readFileSync(join(command.folder, "report", name), "utf8"),
  };
  beforeEach(() => {
    command.folder = mkdtempSync(join(tmpdir(), "svc-conformance-"));
    command.printed = "";
    for (const stream of [process.stdout, process.stderr]) {
      const before = stream.isTTY;
      stream.isTTY = isTTY;
      onTestFinished(() => {
        stream.isTTY = before;
      });
      vi.spyOn(stream, "write").mockImplementation((text) => {
        command.printed += text;
        return true;
      });
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(command.folder, { recursive: true });
  });
  return command;
}
