import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Writes to both streams until it is asked to stop, as Next.js does after uncaught errors. */
const TALKER = `
  const { ignoreClosedOutput } = await import(${JSON.stringify(join(import.meta.dirname, "operator-output.ts"))});
  ignoreClosedOutput();
  process.on("uncaughtException", () => process.exit(3));
  process.on("message", () => process.exit(0));
  setInterval(() => {
    console.log("out");
    console.error("err");
    process.send("said");
  }, 5);
`;

test("does not end the process if the program that reads its output closes the pipe", async () => {
  const args = ["--input-type=module", "--eval", TALKER];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe", "ipc"] });
  const exit = once(child, "exit");
  try {
    await once(child, "message");
    child.stdout?.destroy();
    child.stderr?.destroy();
    // From now on, each write fails.
    for (let attempt = 0; attempt < 5 && child.exitCode === null; attempt++) {
      await Promise.race([once(child, "message"), exit]);
    }
    if (child.connected) child.send("stop");
    expect(await exit).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
  }
});
