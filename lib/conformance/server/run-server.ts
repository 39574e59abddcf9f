import { type Answer, bodyOf } from "../http-client.ts";
import type { RunOutcome } from "../run-checks.ts";
import { type Probe, probeLogin, runOverHttp, sleep, type TimedRun } from "../run-over-http.ts";
import { LOGIN_CHECKS } from "./checks.ts";
import { type Run, Site, type Target } from "./site.ts";

export type ServerRun = TimedRun<Site> & { target: Target };

/**
 * Tries a site's own login.
 * @throws {CannotRun} where no such login is there
 */
export function runServer(options: ServerRun): Promise<RunOutcome> {
  const { target, wait = sleep } = options;
  const { origin, qr, webhook } = target;
  const run: Run = { answers: [], codes: [] };
  const webhooks = [`${webhook}/login`, `${webhook}/register`];
  const openPaths = [qr, target.check, target.events, ...webhooks, target.signIn];
  return runOverHttp(options, {
    ...{ origin, checks: LOGIN_CHECKS, lanes: 4, answers: run.answers },
    // Questions count as responses do (section 11.1).
    limitOf: ({ method = "GET", path }) =>
      `${path.startsWith(`${webhook}/`) && method === "GET" ? "POST" : method} ${path.split("?")[0]}`,
    room: { count: 12, of: [{ path: qr }, ...webhooks.map((path) => ({ method: "POST", path }))] },
    reserve: 12,
    probe: (client) => probeLogin(client, origin, probesOf(target), openPaths, wait),
    contextOf: (http) => new Site({ http, target, run, wait }),
  });
}

/** A code, and whether a wallet and the page reach the site at all. */
function probesOf(target: Target): readonly Probe[] {
  const headers = { "Content-Type": "application/json" };
  return [
    { request: { path: `${target.qr}?mode=login` }, complaintOf: (answer) => complaintAbout(answer, target) },
    { request: { method: "POST", path: `${target.webhook}/login`, headers, body: "{}" } },
    { request: { path: `${target.check}?sid=unknown` } },
  ];
}

/** What tells that this is no login by keys; null where it looks like one. */
function complaintAbout(answer: Answer, { origin, qr }: Target): string | null {
  const { status } = answer;
  const body = bodyOf(answer);
  // The answer of a fast login has a sid too, and its code holds the challenge.
  const isLogin = "challenge" in body || ("sid" in body && !("status" in body));
  if (status !== 404 && status !== 405 && (status >= 400 || isLogin)) return null;
  return `${origin.origin}${qr} gives no login code (${status}). Name its path with --qr, or the kind of login with --flow fast.`;
}
