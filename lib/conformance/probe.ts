import { CannotRun, Failure, Postponed } from "./check.ts";
import type { Answer, HttpClient } from "./http-client.ts";

/** What a run looks at before it tries anything: whether the right thing answers. */

/** What a run says that reached nothing. */
export function nothingAnswers(where: string, error: Failure, what: string): CannotRun {
  return new CannotRun(`Nothing answers at ${where}: ${error.message} Start the ${what}, or correct --url.`);
}

/**
 * Asks a site for a code, with patience.
 * @throws {CannotRun} unless something answers, and `complaintOf` finds nothing wrong with it
 */
export async function probeLogin(
  client: HttpClient,
  origin: URL,
  path: string,
  wait: (seconds: number) => Promise<void>,
  complaintOf: (answer: Answer) => string | null,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const complaint = complaintOf(await client.send({ path }));
      if (complaint) throw new CannotRun(complaint);
      return;
    } catch (error) {
      if (error instanceof Failure) throw nothingAnswers(origin.origin, error, "site");
      if (!(error instanceof Postponed) || tries > 2) throw error;
      await wait(Math.max(0, error.until - Date.now()) / 1000);
    }
  }
}
