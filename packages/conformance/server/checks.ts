import { type Check, checksOf } from "../check.ts";
import type { RunOutcome } from "../run-checks.ts";
import { probeLogin, runOverHttp, sleep, type TimedRun } from "../run-over-http.ts";
import { SITE_TEXTS } from "../texts/site.ts";
import { ASKING_BROWSER_CHECKS } from "./asking-browser.ts";
import { CHALLENGE_CHECKS, SPENDING_CHECKS } from "./challenges.ts";
import { CODE_CHECKS } from "./codes.ts";
import { RESPONSE_CHECKS, SHOWN_INTENT_CHECKS } from "./responses.ts";
import { RULE_CHECKS } from "./rules.ts";
import { SIGN_IN_CHECKS } from "./signing-in.ts";
import { type Run, Site, type Target } from "./site.ts";
import { STATUS_CHECKS } from "./status.ts";
import { UNDO_CHECKS } from "./undo.ts";

/**
 * The large burst comes first, before other checks have used up the limits. It leaves few registrations for the first
 * minute, so checks that need no registration come next. If they came last, the run would take a third minute.
 */
export const LOGIN_CHECKS: readonly Check<Site>[] = checksOf(SITE_TEXTS, {
  ...SPENDING_CHECKS,
  ...SHOWN_INTENT_CHECKS,
  ...UNDO_CHECKS,
  ...ASKING_BROWSER_CHECKS,
  ...CHALLENGE_CHECKS,
  ...CODE_CHECKS,
  ...RESPONSE_CHECKS,
  ...RULE_CHECKS,
  ...STATUS_CHECKS,
  ...SIGN_IN_CHECKS,
});

export type ServerRun = TimedRun<Site> & { target: Target };

/** @throws {CannotRun} if the site has no login of its own */
export function runServer(options: ServerRun): Promise<RunOutcome> {
  const { target, wait = sleep } = options;
  const { origin, qr, webhook } = target;
  const run: Run = { answers: [], codes: [] };
  const webhooks = [`${webhook}/login`, `${webhook}/register`];
  const headers = { "Content-Type": "application/json" };
  return runOverHttp(options, {
    ...{ origin, checks: LOGIN_CHECKS, lanes: 4, answers: run.answers },
    // A wallet's GET requests count against the same limit as its responses (section 11.1).
    limitOf: ({ method = "GET", path }) =>
      `${path.startsWith(`${webhook}/`) && method === "GET" ? "POST" : method} ${path.split("?")[0]}`,
    room: { count: 12, of: [{ path: qr }, ...webhooks.map((path) => ({ method: "POST", path }))] },
    reserve: 12,
    probe: (client, onWait) =>
      probeLogin(client, {
        ...{ origin, wait, onWait, openPaths: [qr, target.check, target.events, ...webhooks, target.signIn] },
        requests: [
          { path: `${qr}?mode=login` },
          { method: "POST", path: `${webhook}/login`, headers, body: "{}" },
          { path: `${target.check}?sid=unknown` },
        ],
        // The response for a fast login also has a sid, but its challenge is inside the code.
        isCode: (body) => "challenge" in body || ("sid" in body && !("status" in body)),
        otherwise: (status) =>
          `${origin.origin}${qr} does not issue a login code (${status}). Pass its path with --qr, or the kind of login with --flow fast.`,
      }),
    contextOf: (http) => new Site({ http, target, run, wait }),
  });
}
