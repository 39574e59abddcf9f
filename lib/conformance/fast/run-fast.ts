import type { Answer } from "../http-client.ts";
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

/** What most checks need: one that begins with less would be cut off, and sends all of it again. */
const ROOM = 16;

/**
 * Tries a site's fast login.
 * @throws {CannotRun} where no such login is there
 */
export function runFast(options: FastServerRun): Promise<RunOutcome> {
  const { target, timeoutSeconds, checks = FAST_CHECKS, lanes = 2, onProgress = () => {} } = options;
  const { isSlow = false, wait = sleep } = options;
  const { origin, qr, webhook } = target;
  const openPaths = [qr, target.check, webhook, `${target.dashboard}?sid=…`];
  const run: FastRun = { answers: [], codes: [] };
  return runOverHttp({
    ...{ origin, timeoutSeconds, checks, lanes, onProgress, answers: run.answers },
    probe: (client) => probeLogin(client, origin, probesOf(target), openPaths, wait),
    contextOf(client, { waits, locksOut, looksBack }) {
      if (!waits && !locksOut && !looksBack) {
        client.leaveRoom({ path: qr }, ROOM);
        client.leaveRoom({ method: "POST", path: webhook }, ROOM);
      }
      return new FastSite({ http: client, target, run, wait, isSlow });
    },
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
function complaintAbout({ status, json }: Answer, { origin, qr }: FastTarget): string | null {
  const body = (json ?? {}) as Record<string, unknown>;
  const isLogin = "qr" in body && !("challenge" in body);
  if (status !== 404 && status !== 405 && (status >= 400 || isLogin)) return null;
  return `${origin.origin}${qr} gives no code of a fast login (${status}). Name its path with --qr, or leave --flow out to test the login with keys.`;
}
