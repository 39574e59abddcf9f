/** Next.js calls this function once when the server starts. The check keeps Node-only code out of other runtimes. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { setUpPlainNext } = await import("./instrumentation-node.ts");
  await setUpPlainNext();
}
