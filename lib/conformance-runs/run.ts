import { db } from "#lib/platform/database/db.ts";
import { svcFunction } from "#lib/platform/database/svc-function.ts";
import type { Report } from "#packages/conformance/report/report.ts";
import { makePayload } from "#packages/conformance/wallet/code.ts";
import { callSqlFunction } from "#packages/login/database/sql-function.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { addSeconds, CHALLENGE_LIFETIME_SECONDS } from "#packages/login/protocol/numbers.ts";
import type { LoginCore } from "#packages/login/server/core.ts";
import { generateSecret, generateSessionId, hashSecret } from "#packages/login/server/random.ts";
import { type RequestHeaders, readTruncatedHeader } from "#packages/login/server/web-request.ts";
import {
  createRunReport,
  hasValidAnswer,
  type StoredCode,
  type StoredRun,
  toRunView,
} from "./evaluate-run.ts";
import type { CaseReport, RunView, ShownCode, StartedRun } from "./messages.ts";
import { FIRST_CASE_ID, PHONE_TEST_CASES } from "./phone-cases.ts";

/**
 * A run of the conformance kit against a wallet on a phone. Its QR codes look like this site's, but logins never look
 * up its challenges, so answers sign no one in. Each statement updates only part of the run's row, so several processes
 * can serve the same run.
 */

export const RUN_LIFETIME_SECONDS = 60 * 60;
/** Enough to show each case several times. */
const MAX_CODES = 200;

export type RunDependencies = Pick<LoginCore, "database" | "now" | "origin">;

export async function startRun(core: RunDependencies): Promise<StartedRun> {
  const secret = generateSecret();
  const now = core.now();
  const expiresAt = addSeconds(now, RUN_LIFETIME_SECONDS);
  await db().conformanceRun.create({
    data: { id: generateSessionId(), secretHash: hashSecret(secret), startedAt: now, expiresAt },
  });
  return { secret, expires_at: expiresAt.toISOString() };
}

/** @throws {Refusal} 404 */
export async function readRun(core: RunDependencies, headers: RequestHeaders): Promise<RunView> {
  return toRunView(await requireRun(core, headers), core.origin, core.now());
}

/** @throws {Refusal} 404 */
export async function readRunReport(core: RunDependencies, headers: RequestHeaders): Promise<Report> {
  return createRunReport(await requireRun(core, headers), core.origin, core.now());
}

const ADD_CODE = svcFunction("add_run_code", ["runId", "code", "maxCodes", "now"]);

/** @throws {Refusal} 404 if the run has ended, 400 if the case does not exist or is not available yet */
export async function issueCaseCode(
  core: RunDependencies,
  headers: RequestHeaders,
  caseId: string,
): Promise<ShownCode> {
  const run = await requireRun(core, headers);
  const phoneCase = PHONE_TEST_CASES.find(({ id }) => id === caseId);
  if (!phoneCase) throw refusal("invalid_request", "There is no such case.");
  const firstIndex = run.codes.findIndex((code) => code.case === FIRST_CASE_ID);
  if (caseId !== FIRST_CASE_ID && !hasValidAnswer(run)) {
    const what = firstIndex < 0 ? "Begin with the correct code" : "No wallet has signed the correct code yet";
    throw refusal("invalid_request", `${what}. Silence proves something only after an answer.`);
  }
  const webhook = new URL(`/conformance/answers/${run.id}/${run.codes.length}`, core.origin);
  const parts = phoneCase.make(webhook);
  if (!parts) throw refusal("invalid_request", "This site cannot show the code of this case.");
  const { payload, challenge } = makePayload(parts);
  const at = core.now();
  const code: StoredCode = { case: caseId, challenge, at: at.getTime() };
  // Nothing was added if the run has ended or has shown too many QR codes.
  const added = await callSqlFunction<{ place: number }>(core.database, ADD_CODE, {
    runId: run.id,
    code: JSON.stringify(code),
    maxCodes: MAX_CODES,
    now: at,
  });
  if (!added) {
    throw refusal("invalid_request", "This run has reached its limit of codes. Start a new one.");
  }
  if (added.place !== run.codes.length) {
    throw refusal("invalid_request", "Another tab showed a code at the same time. Try again.");
  }
  const domain = challenge.split(":")[2] ?? "";
  return { payload, domain, webhook: parts.webhook, lives_seconds: CHALLENGE_LIFETIME_SECONDS };
}

const SET_REPORT = svcFunction("set_run_word", ["runId", "caseId", "word", "now"]);

/** @throws {Refusal} 404 if the run has ended, 400 if the case does not exist */
export async function recordCaseReport(
  core: RunDependencies,
  headers: RequestHeaders,
  { case: caseId, word }: CaseReport,
): Promise<void> {
  const run = await requireRun(core, headers);
  if (!PHONE_TEST_CASES.some(({ id }) => id === caseId))
    throw refusal("invalid_request", "There is no such case.");
  await callSqlFunction(core.database, SET_REPORT, { runId: run.id, caseId, word, now: core.now() });
}

const FIND = svcFunction("find_run", ["runSecretHash", "now"]);

async function requireRun({ database, now }: RunDependencies, headers: RequestHeaders): Promise<StoredRun> {
  const secret = /^Bearer ([\w-]{43})$/.exec(readTruncatedHeader(headers, "authorization"))?.[1] ?? "";
  const run = await callSqlFunction<StoredRun>(database, FIND, {
    runSecretHash: hashSecret(secret),
    now: now(),
  });
  if (!run) throw refusal("not_found", "This run has ended. Start a new one.");
  return run;
}
