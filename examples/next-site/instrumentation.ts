/** Next.js calls this function once, when the server starts. */
export async function register() {
  if (process.env.NEXT_RUNTIME === "nodejs") await (await import("./lib/login.ts")).login.start();
}
