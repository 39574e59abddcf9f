import { readFileSync } from "node:fs";
import { processSingleton } from "./state.ts";

const LOOK_MS = 500;
/** The commands of the template's scripts. Another script may start a server that is to outlive its shell. */
const FRAMEWORK_SCRIPT = /^next (dev|start)\b[^&]*$/;

/**
 * Ends a site whose npm has ended. npm passes SIGTERM on to the shell in which it runs a script. Some shells (dash) end
 * without passing it on, and the framework would live on and hold its port.
 */
export const followShell = processSingleton("follow-shell", () => {
  if (!FRAMEWORK_SCRIPT.test(process.env.npm_lifecycle_script ?? "")) return null;
  // The command `next dev` runs its server in a child process, and ends it with itself.
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
    // It was killed, without ending this process.
    process.kill(process.pid, "SIGTERM");
  }
}

/** Only Linux shows another process's parent. Elsewhere npm's shell hands its own place to the script. */
function parentOf(pid: number): number | undefined {
  if (pid === process.pid) return process.ppid;
  try {
    const [, parent] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return parent === undefined ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}
