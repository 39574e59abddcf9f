import { describe, expect, test } from "vitest";
import { createRunReport, evaluateCase, type StoredCodeRequest, type StoredRun } from "./evaluate-run.ts";
import { FIRST_CASE_ID, PHONE_TEST_CASES, SITE_ANSWERS_BY_CASE } from "./phone-cases.ts";

const SITE = new URL("https://login.shop.example/conformance/answers/run/0");

/** `seconds` after the QR code was shown. */
type Answer = { seconds: number } & Partial<StoredCodeRequest>;
const answer = (seconds: number, changes: Partial<StoredCodeRequest> = {}): Answer => ({
  seconds,
  ...changes,
});

type Word = StoredRun["words"][string] | null;

type TestedCase = [id: string, showings: Answer[][], word?: Word];

/** The run showed all of these QR codes when it started. */
function runOf(...cases: TestedCase[]): StoredRun {
  const run: StoredRun = {
    id: "run",
    startedAt: new Date(0),
    expiresAt: new Date(0),
    codes: [],
    arrivals: [],
    words: {},
  };
  for (const [id, showings, word] of cases) {
    if (word) run.words[id] = word;
    for (const answers of showings) {
      const code = run.codes.push({ case: id, challenge: "", at: 0 }) - 1;
      for (const { seconds, ...changes } of answers)
        run.arrivals.push({
          code,
          at: seconds * 1000,
          detour: false,
          digest: "same",
          problem: null,
          ...changes,
        });
    }
  }
  return run;
}

function evaluate(testedCase: TestedCase, ageSeconds: number): string {
  const found = PHONE_TEST_CASES.find(({ id }) => id === testedCase[0]);
  if (!found) throw new Error(`no case ${testedCase[0]}`);
  const outcomes = evaluateCase(found, runOf(testedCase), new Date(ageSeconds * 1000));
  return outcomes.map(({ check, outcome }) => `${check} ${outcome}`).join(", ");
}

test("gives every case a unique name", () => {
  expect(PHONE_TEST_CASES.filter(({ make }) => make(SITE) === null)).toEqual([]);
  expect(new Set(PHONE_TEST_CASES.map(({ id }) => id)).size).toBe(PHONE_TEST_CASES.length);
  expect(
    Object.keys(SITE_ANSWERS_BY_CASE).filter((id) => !PHONE_TEST_CASES.some((one) => one.id === id)),
  ).toEqual([]);
});

describe("a case", () => {
  const wrongSignature = { check: "1.4-sent", message: "The signature does not verify." };
  const passedChecks = "1.5-sent passed, 1.4-sent passed, 7-no-cookies passed";
  const unannounced = { check: "3.6-shown", message: "A code with intent=add is answered without a word." };
  test.each<[id: string, answers: Answer[], seconds: number, word: Word, expected: string]>([
    ["7-expired/old", [], 31, null, "7-expired open"],
    ["7-expired/old", [], 5, "good", "7-expired passed"],
    ["7-expired/old", [answer(1)], 5, "good", "7-expired failed"],
    ["7-expired/old", [], 5, "skip", "7-expired skipped"],
    ["7-answers/register", [], 40, null, "7-answers open"],
    ["7-answers/register", [], 40, "bad", "7-answers failed"],
    ["7-answers/register", [answer(2)], 3, null, `7-answers passed, ${passedChecks}`],
    [
      "7-answers/register",
      [answer(2, { problem: wrongSignature })],
      3,
      null,
      "7-answers passed, 1.5-sent passed, 1.4-sent failed",
    ],
    ["7-answers/login", [answer(2)], 3, null, `7-answers passed, ${passedChecks}, 7-shows-domain open`],
    ["7-answers/login", [answer(2)], 3, "bad", `7-answers passed, ${passedChecks}, 7-shows-domain failed`],
    ["3.6-shown/add", [answer(2)], 3, null, `${passedChecks}, 3.6-shown passed`],
    ["3.6-shown/add", [answer(2, { problem: unannounced })], 3, null, `${passedChecks}, 3.6-shown failed`],
    ["3.6-shown/add", [answer(2, { problem: wrongSignature })], 3, null, "1.5-sent passed, 1.4-sent failed"],
    ["3.6-shown/add", [], 5, "bad", "3.6-shown failed"],
    ["7-redirect/307", [answer(1), answer(2, { detour: true })], 3, "good", "7-redirect failed"],
    ["7-redirect/307", [answer(1)], 3, null, "7-redirect open"],
    ["7-redirect/307", [answer(1)], 3, "bad", "7-redirect failed"],
    ["7-redirect/307", [answer(1)], 3, "good", "7-redirect passed"],
    ["7-final/404", [answer(1)], 2, "good", "7-final open, 7-says-why passed"],
    ["7-final/404", [answer(1)], 9, "good", "7-final passed, 7-says-why passed"],
    ["7-final/404", [answer(1), answer(3)], 9, "good", "7-final failed, 7-says-why passed"],
    ["7-tries-again/once", [answer(1)], 9, null, "7-tries-again open"],
    ["7-tries-again/once", [answer(1)], 34, null, "7-tries-again failed"],
    ["7-tries-again/once", [answer(1), answer(2)], 9, null, "7-tries-again passed"],
    ["7-tries-again/once", [answer(1), answer(2, { digest: "other" })], 9, null, "7-tries-again failed"],
    ["7-not-after/always", [answer(1), answer(29)], 34, "good", "7-not-after open"],
    ["7-not-after/always", [answer(1), answer(29)], 38, "good", "7-not-after passed"],
    ["7-not-after/always", [answer(1), answer(34)], 38, "good", "7-not-after failed"],
    ["7-patient/slow", [answer(1), answer(3)], 9, "good", "7-patient failed"],
    ["7-patient/slow", [answer(1)], 9, "good", "7-patient passed"],
  ])(
    "%s with the answers %j after %d s and the user's report %s is evaluated as %s",
    (id, answers, seconds, word, expected) => {
      expect(evaluate([id, [answers], word], seconds)).toBe(expected);
    },
  );

  test("stays failed once any of its codes has been answered", () => {
    expect(evaluate(["7-future/ahead", [[answer(1)], []], "good"], 60)).toBe("7-future failed");
  });
});

describe("the report", () => {
  const report = (...cases: TestedCase[]) => createRunReport(runOf(...cases), SITE, new Date(2_000));
  const outcomeOf = (id: string, ...cases: TestedCase[]) =>
    report(...cases).checks.find((check) => check.id === id);
  const answeredCase = (id: string): TestedCase => [id, [[answer(1)]], "good"];
  const silent = (id: string): TestedCase => [id, [[]], "good"];

  test("does not count silence as a pass unless a wallet has signed the correct code", () => {
    const garbage = answer(1, { problem: { check: "1.5-sent", message: "The signature is not a string." } });
    for (const first of [silent(FIRST_CASE_ID), [FIRST_CASE_ID, [[garbage]]] satisfies TestedCase]) {
      expect(outcomeOf("7-future", first, silent("7-future/ahead"))?.outcome).toBe("blocked");
      expect(report(first, silent("7-future/ahead")).holds).toBe(false);
    }
  });

  test("passes a check only if every code of the check has passed", () => {
    const cases = [answeredCase(FIRST_CASE_ID), silent("7-future/ahead"), silent("7-expired/old")];
    expect(outcomeOf("7-future", ...cases)?.outcome).toBe("passed");
    expect(outcomeOf("7-expired", ...cases)).toMatchObject({
      outcome: "skipped",
      message: "Not tried: An old challenge with a fresh ts.",
    });
  });

  test("fails the check and the run if one of the check's codes fails", () => {
    const cases = [answeredCase(FIRST_CASE_ID), answeredCase("7-future/ahead")];
    expect(outcomeOf("7-future", ...cases)?.outcome).toBe("failed");
    expect(report(...cases).holds).toBe(false);
  });
});
