/** The framework calls this once when the server starts; Node-only code stands behind the check. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startObserving } = await import("#lib/operations/observe/start-observing.ts");
  await startObserving();
  const { startJobs } = await import("#lib/operations/jobs/start-jobs.ts");
  await startJobs();
  // With hot reload they would stay what they were at start.
  if (process.env.NODE_ENV !== "production") return;
  const { registerDirectRoutes } = await import("#app/direct-routes.ts");
  registerDirectRoutes();
}
