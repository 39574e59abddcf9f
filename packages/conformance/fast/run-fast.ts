import type { RunOutcome } from "../run-checks.ts";
import { probeLogin, runOverHttp, sleep, type TimedRun } from "../run-over-http.ts";
import { FAST_CHECKS } from "./checks.ts";
import { type FastRun, FastSite, type FastTarget, FORM } from "./site.ts";

export type FastServerRun = TimedRun<FastSite> & {
  target: FastTarget;
  /** Also runs the checks that take two minutes. */
  isSlow?: boolean;
};

/**
 * Checks a site's fast login.
 * @throws {CannotRun} if there is no such login
 */
export function runFast(options: FastServerRun): Promise<RunOutcome> {
  const { target, isSlow = false, wait = sleep } = options;
  const { origin, qr, webhook } = target;
  const run: FastRun = { answers: [], codes: [], isSlow };
  return runOverHttp(options, {
    ...{ origin, checks: FAST_CHECKS, lanes: 2, answers: run.answers },
    room: { count: 16, of: [{ path: qr }, { method: "POST", path: webhook }] },
    probe: (client) =>
      probeLogin(client, {
        ...{ origin, wait, openPaths: [qr, target.check, webhook, `${target.dashboard}?sid=…`] },
        requests: [
          { path: qr },
          { method: "POST", path: webhook, headers: FORM, body: "sid=unknown" },
          { path: `${target.check}?sid=unknown` },
        ],
        isCode: (body) => "qr" in body && !("challenge" in body),
        otherwise: (status) =>
          `${origin.origin}${qr} does not issue a fast login's code (${status}). Pass its path with --qr, or omit --flow to test the login with keys.`,
      }),
    contextOf: (http) => new FastSite({ http, target, run, wait }),
  });
}
