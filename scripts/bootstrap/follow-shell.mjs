/* Runs on Node.js 18 or later. */

const LOOK_MS = 500;

/**
 * npm runs scripts in a shell and sends SIGTERM only to that shell. Some shells (dash) exit without forwarding the
 * signal, so the script would continue to run and to occupy its port. Sends the signal to this process once the shell
 * has exited.
 */
export function followShell() {
  const { npm_lifecycle_script: script } = process.env;
  // A background process that a script starts is meant to outlive the shell.
  if (script === undefined || script.includes("&")) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_MS);
  timer.unref();
}
