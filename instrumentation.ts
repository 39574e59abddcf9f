/** The framework calls this once when the server starts. Node-only code is behind the check. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { setUpPlainNext } = await import("./instrumentation-node.ts");
  await setUpPlainNext();
}
