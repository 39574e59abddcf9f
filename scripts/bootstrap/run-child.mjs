/* Runs on Node.js 18 or later. */
import { spawn } from "node:child_process";
import { once } from "node:events";

const FORWARDED = ["SIGTERM", "SIGHUP", "SIGINT"];

/**
 * Forwards termination signals to the child, which exits if this process exits.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions & { onStart?: (pid: number) => void, onOutput?: (chunk: Buffer) =>
 * void }} options `onOutput` gets what the child writes, if its stdio is piped
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null }>}
 */
export async function runChild(command, args, { onStart, onOutput, ...options }) {
  const child = spawn(command, args, options);
  if (child.pid !== undefined) onStart?.(child.pid);
  const forward = (signal) => {
    // In a terminal, Ctrl-C reaches the child directly. The child could take a second signal as "stop immediately".
    if (signal === "SIGINT" && process.stdin.isTTY) return;
    child.kill(signal);
  };
  const end = () => child.kill();
  for (const signal of FORWARDED) process.on(signal, forward);
  process.on("exit", end);
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => onOutput?.(chunk));
  try {
    const [code, signal] = await once(child, "close");
    return { code, signal };
  } finally {
    for (const signal of FORWARDED) process.off(signal, forward);
    process.off("exit", end);
  }
}

export function exitLikeChild({ code, signal }) {
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}
