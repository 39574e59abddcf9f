/* Ends a command whose shell has ended. Runs on any Node >= 18. */

const LOOK_MS = 500;

/**
 * npm passes SIGTERM to the shell in which it runs a script. Some shells (dash) end without forwarding the signal, so
 * the script would keep running and hold its port. This process therefore gets the signal after that shell has ended.
 */
export function followShell() {
  const { npm_lifecycle_script: script } = process.env;
  // A script that starts a background process wants it to outlive the shell.
  if (script === undefined || script.includes("&")) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_MS);
  timer.unref();
}
