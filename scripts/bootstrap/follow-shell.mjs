/* Ends a command whose shell has ended. Runs on any Node >= 18. */

const LOOK_MS = 500;

/**
 * npm passes SIGTERM on to the shell in which it runs a script. Some shells (dash) end without passing it on, and the
 * script would live on and hold its port. So when that shell has ended, this process gets the signal.
 */
export function followShell() {
  const { npm_lifecycle_script: script } = process.env;
  // A script that starts something in the background means it to outlive the shell.
  if (script === undefined || script.includes("&")) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_MS);
  timer.unref();
}
