/** Notes how to stop what was just started. */
type StopLater = (stop: () => unknown) => void;

/**
 * Runs a setup that starts one thing after another. If it fails half way, what it has started is stopped, the last
 * first. Otherwise applications would run on beside the next tests.
 * @returns a function that stops everything once the tests have ended
 */
export async function startInTurn(
  setup: (stopLater: StopLater) => Promise<void>,
): Promise<() => Promise<void>> {
  const started = new AsyncDisposableStack();
  try {
    await setup((stop) => started.defer(async () => void (await stop())));
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
  return () => started.disposeAsync();
}
