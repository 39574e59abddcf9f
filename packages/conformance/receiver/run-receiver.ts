import { CannotRun, Failure } from "../check.ts";
import type { HttpClient } from "../http-client.ts";
import type { RunOutcome } from "../run-checks.ts";
import { type HttpRun, nothingAnswers, runOverHttp } from "../run-over-http.ts";
import { RECEIVER_CHECKS } from "./checks.ts";
import { type FoundFamilies, openReceiver, type Receiver } from "./receiver.ts";

export type ReceiverRun = HttpRun<Receiver> & {
  url: URL;
  /** The receiver's secret, `whsec_…`. */
  secret: string;
};

/**
 * Plays the hosted API for a receiver of events.
 * @throws {CannotRun} if there is no receiver
 */
export function runReceiver(options: ReceiverRun): Promise<RunOutcome> {
  const { url, secret } = options;
  const run: FoundFamilies = {};
  const path = url.pathname + url.search;
  return runOverHttp(options, {
    ...{ origin: url, checks: RECEIVER_CHECKS, lanes: 4 },
    probe: (client) => probe(client, path, url),
    contextOf: (http) => openReceiver(http, path, secret, run),
  });
}

async function probe(client: HttpClient, path: string, url: URL): Promise<void> {
  try {
    const { status, headers } = await client.send({ method: "POST", path, body: "{}", expectsLimit: true });
    const isLogin = /log-?in|sign-?in|auth/i.test(headers.location ?? "");
    if (isLogin || (status === 401 && headers["content-type"]?.startsWith("text/html")))
      throw new CannotRun(
        `${url.href} does not reach the receiver: the answer, ${status}, ${isLogin ? `leads to ${headers.location}` : "is a page"}. The API has no session: let this path pass without one, in a proxy.ts or a middleware too.`,
      );
    if (status === 404) throw new CannotRun(`Nothing receives events at ${url.href} (404). Correct --url.`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw nothingAnswers(url.href, error, "receiver");
  }
}
