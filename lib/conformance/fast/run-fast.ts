import { type Answer, bodyOf } from "../http-client.ts";
import type { RunOutcome } from "../run-checks.ts";
import { type Probe, probeLogin, runOverHttp, sleep, type TimedRun } from "../run-over-http.ts";
import { FAST_CHECKS } from "./checks.ts";
import type { FastTarget } from "./entrances.ts";
import { type FastRun, FastSite, FORM } from "./site.ts";

export type FastServerRun = TimedRun<FastSite> & {
  target: FastTarget;
  /** Also tries what takes two minutes. */
  isSlow?: boolean;
};

/**
 * Tries a site's fast login.
 * @throws {CannotRun} where no such login is there
 */
export function runFast(options: FastServerRun): Promise<RunOutcome> {
  const { target, isSlow = false, wait = sleep } = options;
  const { origin, qr, webhook } = target;
  const openPaths = [qr, target.check, webhook, `${target.dashboard}?sid=…`];
  const run: FastRun = { answers: [], codes: [] };
  return runOverHttp(options, {
    ...{ origin, checks: FAST_CHECKS, lanes: 2, answers: run.answers },
    room: { count: 16, of: [{ path: qr }, { method: "POST", path: webhook }] },
    probe: (client) => probeLogin(client, origin, probesOf(target), openPaths, wait),
    contextOf: (http) => new FastSite({ http, target, run, wait, isSlow }),
  });
}

/** A code, and whether a wallet and the page reach the site at all. */
function probesOf(target: FastTarget): readonly Probe[] {
  return [
    { request: { path: target.qr }, complaintOf: (answer) => complaintAbout(answer, target) },
    { request: { method: "POST", path: target.webhook, headers: FORM, body: "sid=unknown" } },
    { request: { path: `${target.check}?sid=unknown` } },
  ];
}

/** What tells that this is no fast login; null where it looks like one. */
function complaintAbout(answer: Answer, { origin, qr }: FastTarget): string | null {
  const { status } = answer;
  const body = bodyOf(answer);
  const isLogin = "qr" in body && !("challenge" in body);
  if (status !== 404 && status !== 405 && (status >= 400 || isLogin)) return null;
  return `${origin.origin}${qr} gives no code of a fast login (${status}). Name its path with --qr, or leave --flow out to test the login with keys.`;
}
