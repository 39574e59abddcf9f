import { readFileSync } from "node:fs";
import { processSingleton } from "./state.ts";

const LOOK_MS = 500;
/** Other scripts might start servers that should outlive their shell. */
const FRAMEWORK_SCRIPT = /^next (dev|start)\b[^&]*$/;

/**
 * npm sends SIGTERM to the shell in which it runs a script. Some shells (dash) end without forwarding the signal, so
 * the framework would keep running and occupy its port.
 */
export const followShell = processSingleton("follow-shell", () => {
  if (!FRAMEWORK_SCRIPT.test(process.env.npm_lifecycle_script ?? "")) return null;
  // `next dev` runs its server in a child process, and ends it when `next dev` itself ends.
  const command = process.env.NODE_ENV === "development" ? process.ppid : process.pid;
  const shell = parentOf(command);
  const timer = setInterval(() => {
    if (parentOf(command) === shell) return;
    clearInterval(timer);
    end(command);
  }, LOOK_MS);
  return timer.unref();
});

function end(command: number): void {
  try {
    process.kill(command, "SIGTERM");
  } catch {
    // The parent was killed, which does not end this process.
    process.kill(process.pid, "SIGTERM");
  }
}

/** Works only on Linux. Other systems do not need this, because the script replaces npm's shell there. */
function parentOf(pid: number): number | undefined {
  if (pid === process.pid) return process.ppid;
  try {
    const [, parent] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return parent === undefined ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}
