/** Notes how to stop what was just started. */
export type StopLater = (stop: () => unknown) => void;

/**
 * Runs a setup that starts one thing after another. If it fails half way, what it has started until then is stopped,
 * the last first: nobody else could, and applications would run on beside whatever comes next.
 * @returns what stops all of it once the tests have ended
 */
export async function startInTurn(
  setup: (stopLater: StopLater) => Promise<void>,
): Promise<() => Promise<void>> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    const failures: unknown[] = [];
    for (const each of stops.splice(0).toReversed()) {
      try {
        await each();
      } catch (error) {
        // It keeps none of the others running.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.join("\n"));
  };
  try {
    await setup((each) => stops.push(each));
  } catch (error) {
    await stop().catch((failure: unknown) => {
      throw new AggregateError([error, failure], `${error}\n${failure}`);
    });
    throw error;
  }
  return stop;
}
