import { hash } from "node:crypto";
import { svcFunction } from "#lib/platform/database/svc-function.ts";
import { CheckFailure } from "#packages/conformance/check.ts";
import { parseJson } from "#packages/conformance/http-client.ts";
import {
  expectShownIntent,
  FORMAT_CHECKS,
  shownIntentCheck,
} from "#packages/conformance/wallet/sent-answers.ts";
import { callSqlFunction } from "#packages/login/database/sql-function.ts";
import { jsonResponse } from "#packages/login/http/call.ts";
import { readBodyBytes } from "#packages/login/http/read-body.ts";
import { refusal } from "#packages/login/protocol/errors.ts";
import { CHALLENGE_LIFETIME_SECONDS } from "#packages/login/protocol/numbers.ts";
import type { StoredCode, StoredCodeRequest } from "./evaluate-run.ts";
import {
  PHONE_TEST_CASES,
  type PhoneTestCase,
  SITE_ANSWERS_BY_CASE,
  type SiteAnswer,
  SLOW_ANSWER_SECONDS,
  UNKNOWN_KEY_MESSAGE,
} from "./phone-cases.ts";
import type { RunDependencies } from "./run.ts";

/** QR codes are public, so anyone can post to their URLs. */
const MAX_ARRIVALS = 200;
/** The number of characters of an answer's error message that are stored. */
const PROBLEM_CHARACTERS = 200;

/** Marks the target of a case's redirect. */
export const REDIRECT_PARAMETER = "detour";

/** `place` is the QR code's index; `detour` is true if the answer arrived at the target of a redirect. */
export type AnswerLocation = { run: string; place: number; detour: boolean };

const FIND_CODE = svcFunction("find_run_code", ["runId", "place", "now"]);

const ADD_ARRIVAL = svcFunction("add_run_arrival", ["runId", "arrival", "maxArrivals", "now"]);

/**
 * Records the answer and its errors, and responds as the case requires. Stores neither the key nor the signature, and
 * signs no one in.
 * @throws {Refusal} 404 if the URL belongs to no run; otherwise the error that this case returns
 */
export async function acceptWalletAnswer(
  core: RunDependencies,
  request: Request,
  { run, place, detour }: AnswerLocation,
): Promise<Response> {
  const at = core.now();
  const values = { runId: run, place, now: at };
  const code = (await callSqlFunction<{ code: StoredCode }>(core.database, FIND_CODE, values))?.code;
  const phoneCase = PHONE_TEST_CASES.find(({ id }) => id === code?.case);
  if (!code || !phoneCase) throw refusal("not_found", "This run has ended or does not exist.");
  const text = await readBodyBytes(request).then(
    (bytes) => Buffer.from(bytes).toString("utf8"),
    // A request also counts as an answer if its body is too large or stalls.
    () => "",
  );
  const problem = findProblem(request, text, phoneCase, code, at);
  const arrival = { code: place, at: at.getTime(), detour, digest: hash("sha256", text), problem };
  const result = await callSqlFunction<{ arrivalsOfCode: number }>(core.database, ADD_ARRIVAL, {
    runId: run,
    arrival: JSON.stringify(arrival),
    maxArrivals: MAX_ARRIVALS,
    now: at,
  });
  if (!result) throw refusal("not_found", "This run does not accept more answers.");
  return answerAs(phoneCase, code, arrival, result.arrivalsOfCode, new URL(request.url).pathname);
}

function findProblem(
  { headers, url }: Request,
  text: string,
  { check: caseCheck, make }: PhoneTestCase,
  { challenge }: StoredCode,
  at: Date,
): StoredCodeRequest["problem"] {
  const arrival = { headers: Object.fromEntries(headers.entries()), json: parseJson(text), at: at.getTime() };
  const intent = make(new URL(url))?.intent;
  const checks = [
    ...FORMAT_CHECKS,
    [caseCheck, () => caseCheck === shownIntentCheck(intent) && expectShownIntent(arrival, intent)],
  ] as const;
  for (const [check, evaluate] of checks) {
    try {
      evaluate(arrival, challenge);
    } catch (error) {
      if (!(error instanceof CheckFailure)) throw error;
      return { check, message: storable(error.message) };
    }
  }
  return null;
}

/** One line that the database can store. */
function storable(message: string): string {
  return message
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .slice(0, PROBLEM_CHARACTERS)
    .toWellFormed();
}

async function answerAs(
  { id, expects }: PhoneTestCase,
  code: StoredCode,
  arrival: StoredCodeRequest,
  count: number,
  path: string,
): Promise<Response> {
  const [first, later]: readonly [SiteAnswer, SiteAnswer] = SITE_ANSWERS_BY_CASE[id] ?? [
    "success",
    "success",
  ];
  const answer = arrival.detour ? "success" : count === 1 ? first : later;
  // In a case that expects one answer, the site behaves correctly and refuses a wrong answer.
  if (answer === "success" && expects === "answer") refuseAsSite(arrival, code);
  switch (answer) {
    case "slow":
      await new Promise((resolve) => setTimeout(resolve, SLOW_ANSWER_SECONDS * 1000));
      break;
    case "redirect":
      return new Response(null, { status: 307, headers: { Location: `${path}?${REDIRECT_PARAMETER}=1` } });
    case "accepted-later":
      return jsonResponse(202, { status: "pending" });
    case "unknown-key":
      throw refusal("user_not_found", UNKNOWN_KEY_MESSAGE);
    case "unavailable":
      throw refusal("service_unavailable", "The site of this case is unavailable.");
  }
  return jsonResponse(200, { status: "authenticated" });
}

function refuseAsSite({ problem, at }: StoredCodeRequest, { at: shownAt }: StoredCode): void {
  if (problem?.check === "1.5-sent") throw refusal("invalid_request", problem.message);
  if (at - shownAt > CHALLENGE_LIFETIME_SECONDS * 1000)
    throw refusal("challenge_expired", "This code has expired. Scan the code that is on the screen now.");
  if (problem?.check === "1.4-sent") throw refusal("invalid_signature", problem.message);
}
