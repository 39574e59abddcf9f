import { type Check, checksOf } from "../check.ts";
import type { RunOutcome } from "../run-checks.ts";
import { probeLogin, runOverHttp, sleep, type TimedRun } from "../run-over-http.ts";
import { FAST_TEXTS } from "../texts/fast.ts";
import { FAST_BODY_CHECKS } from "./bodies.ts";
import { FAST_CHALLENGE_CHECKS, FAST_RETENTION_CHECKS } from "./challenges.ts";
import { FAST_CODE_CHECKS, FAST_COOKIE_CHECKS, FAST_FORMAT_CHECKS, FAST_STATUS_CHECKS } from "./codes.ts";
import { FAST_RULE_CHECKS } from "./rules.ts";
import { FAST_SIGNATURE_CHECKS } from "./signatures.ts";
import { FAST_SIGN_IN_CHECKS } from "./signing-in.ts";
import { type FastRun, FastSite, type FastTarget, FORM } from "./site.ts";

/** The burst comes first, before other checks have used up the limits. */
export const FAST_CHECKS: readonly Check<FastSite>[] = checksOf(FAST_TEXTS, {
  ...FAST_CHALLENGE_CHECKS,
  ...FAST_FORMAT_CHECKS,
  ...FAST_CODE_CHECKS,
  ...FAST_RETENTION_CHECKS,
  ...FAST_COOKIE_CHECKS,
  ...FAST_SIGNATURE_CHECKS,
  ...FAST_BODY_CHECKS,
  ...FAST_STATUS_CHECKS,
  ...FAST_SIGN_IN_CHECKS,
  ...FAST_RULE_CHECKS,
});

export type FastServerRun = TimedRun<FastSite> & {
  target: FastTarget;
  isSlow?: boolean;
};

/** @throws {CannotRun} if the site has no fast login */
export function runFast(options: FastServerRun): Promise<RunOutcome> {
  const { target, isSlow = false, wait = sleep } = options;
  const { origin, qr, webhook } = target;
  const run: FastRun = { answers: [], codes: [], isSlow };
  return runOverHttp(options, {
    ...{ origin, checks: FAST_CHECKS, lanes: 2, answers: run.answers },
    room: { count: 16, of: [{ path: qr }, { method: "POST", path: webhook }] },
    probe: (client, onWait) =>
      probeLogin(client, {
        ...{ origin, wait, onWait, openPaths: [qr, target.check, webhook, `${target.dashboard}?sid=…`] },
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
