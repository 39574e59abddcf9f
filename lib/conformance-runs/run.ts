import type { Report } from "#lib/conformance/report/report.ts";
import { makePayload } from "#lib/conformance/wallet/code.ts";
import { FIRST_CASE, PHONE_CASES } from "#lib/conformance/wallet/phone-cases.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#lib/login/protocol/numbers.ts";
import type { LoginCore } from "#lib/login/server/core.ts";
import { hashSecret, newSecret, newSessionId } from "#lib/login/server/random.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { isReached, reportRun, viewRun } from "./judge-run.ts";
import type { RunView, SayWord, ShownCode, StartedRun } from "./messages.ts";
import { addCode, findRun, insertRun, type Run, setWord } from "./store.ts";

/**
 * A run of the conformance kit against a wallet on a phone. Its codes look like this site's and are none: no challenge
 * of a run stands where a login looks for one, so whatever a wallet signs here signs nobody in.
 */

/** What a run needs of the application. */
export type RunCore = Pick<LoginCore, "database" | "now" | "origin">;

export async function startRun(core: RunCore): Promise<StartedRun> {
  const secret = newSecret();
  const start = { now: core.now(), id: newSessionId(), secretHash: hashSecret(secret) };
  const { expiresAt } = await insertRun(core.database, start);
  return { secret, expires_at: expiresAt.toISOString() };
}

/** Where a run stands, for the browser that has its secret. @throws {ApiError} 404 */
export async function readRun(core: RunCore, headers: SentHeaders): Promise<RunView> {
  return viewRun(await requireRun(core, headers), core.origin, core.now());
}

/** @throws {ApiError} 404 */
export async function readReport(core: RunCore, headers: SentHeaders): Promise<Report> {
  return reportRun(await requireRun(core, headers), core.origin, core.now());
}

/**
 * Shows the code of a case, a new one each time.
 * @throws {ApiError} 404 for a run that is over, 400 for what is no case or cannot be tried yet
 */
export async function showCode(core: RunCore, headers: SentHeaders, caseId: string): Promise<ShownCode> {
  const run = await requireRun(core, headers);
  const phoneCase = PHONE_CASES.find(({ id }) => id === caseId);
  if (!phoneCase) throw new ApiError("invalid_request", "There is no such case.");
  const first = run.codes.findIndex((code) => code.case === FIRST_CASE);
  if (caseId !== FIRST_CASE && !isReached(run)) {
    const what = first < 0 ? "Begin with the correct code" : "No wallet has answered the correct code yet";
    throw new ApiError("invalid_request", `${what}: silence proves something only after an answer.`);
  }
  const webhook = new URL(`/conformance/answers/${run.id}/${run.codes.length}`, core.origin);
  const parts = phoneCase.make(webhook);
  if (!parts) throw new ApiError("invalid_request", "This site cannot show the code of this case.");
  const { payload, challenge } = makePayload(parts);
  const code = { case: caseId, challenge, at: core.now().getTime() };
  const place = await addCode(core.database, core.now(), run.id, code);
  if (place === null) {
    throw new ApiError("invalid_request", "This run has shown all the codes that it may. Start a new one.");
  }
  if (place !== run.codes.length) {
    throw new ApiError("invalid_request", "Another tab showed a code at the same moment. Try again.");
  }
  const domain = challenge.split(":")[2] ?? "";
  return { payload, domain, webhook: parts.webhook, lives_seconds: CHALLENGE_LIFETIME_SECONDS };
}

/** @throws {ApiError} 404 for a run that is over, 400 for what is no case */
export async function sayWord(
  core: RunCore,
  headers: SentHeaders,
  { case: caseId, word }: SayWord,
): Promise<void> {
  const run = await requireRun(core, headers);
  if (!PHONE_CASES.some(({ id }) => id === caseId))
    throw new ApiError("invalid_request", "There is no such case.");
  await setWord(core.database, core.now(), run.id, { caseId, word });
}

async function requireRun({ database, now }: RunCore, headers: SentHeaders): Promise<Run> {
  const secret = /^Bearer ([\w-]{43})$/.exec(headers.get("authorization") ?? "")?.[1] ?? "";
  const run = await findRun(database, now(), hashSecret(secret));
  if (!run) throw new ApiError("not_found", "This run is over. Start a new one.");
  return run;
}
