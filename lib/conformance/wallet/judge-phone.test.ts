import { describe, expect, test } from "vitest";
import {
  type JudgedCase,
  judgePhoneCase,
  type PhoneArrival,
  reportPhone,
  type TriedCase,
  type Word,
} from "./judge-phone.ts";
import { FIRST_CASE, PHONE_ANSWERS, PHONE_CASES } from "./phone-cases.ts";

const SITE = new URL("https://login.shop.example/conformance/answers/run/0");

const caseOf = (id: string) => {
  const found = PHONE_CASES.find((one) => one.id === id);
  if (!found) throw new Error(`no case ${id}`);
  return found;
};

/** An answer after so many seconds. */
const answer = (seconds: number, changes: Partial<PhoneArrival> = {}): PhoneArrival => ({
  ...{ afterMs: seconds * 1000, detour: false, digest: "same", problem: null },
  ...changes,
});

function judge(id: string, arrivals: PhoneArrival[], ageSeconds: number, word: Word | null = null): string {
  const tried: TriedCase = { showings: [{ arrivals, ageMs: ageSeconds * 1000 }], word };
  return judgePhoneCase(caseOf(id), tried)
    .map(({ check, outcome }) => `${check} ${outcome}`)
    .join(", ");
}

test("every case can be shown by a site on https with a domain of its own, under a name that no other has", () => {
  expect(PHONE_CASES.filter(({ make }) => make(SITE) === null)).toEqual([]);
  expect(new Set(PHONE_CASES.map(({ id }) => id)).size).toBe(PHONE_CASES.length);
  expect(Object.keys(PHONE_ANSWERS).filter((id) => !PHONE_CASES.some((one) => one.id === id))).toEqual([]);
});

describe("a case", () => {
  const wrong = { check: "1.4-sent", message: "The signature does not verify." };
  const sent = "1.5-sent passed, 1.4-sent passed, 7-no-cookies passed";
  const untold = { check: "3.6-shown", message: "A code with intent=add is answered without a word." };
  test.each<[id: string, arrivals: PhoneArrival[], seconds: number, word: Word | null, expected: string]>([
    ["7-expired/old", [], 31, null, "7-expired open"],
    ["7-expired/old", [], 5, "good", "7-expired passed"],
    ["7-expired/old", [answer(1)], 5, "good", "7-expired failed"],
    ["7-expired/old", [], 5, "skip", "7-expired skipped"],
    ["7-answers/register", [], 40, null, "7-answers open"],
    ["7-answers/register", [], 40, "bad", "7-answers failed"],
    ["7-answers/register", [answer(2)], 3, null, `7-answers passed, ${sent}`],
    [
      "7-answers/register",
      [answer(2, { problem: wrong })],
      3,
      null,
      "7-answers passed, 1.5-sent passed, 1.4-sent failed",
    ],
    ["7-answers/login", [answer(2)], 3, null, `7-answers passed, ${sent}, 7-shows-domain open`],
    ["7-answers/login", [answer(2)], 3, "bad", `7-answers passed, ${sent}, 7-shows-domain failed`],
    ["3.6-shown/add", [answer(2)], 3, null, `${sent}, 3.6-shown passed`],
    ["3.6-shown/add", [answer(2, { problem: untold })], 3, null, `${sent}, 3.6-shown failed`],
    ["3.6-shown/add", [answer(2, { problem: wrong })], 3, null, "1.5-sent passed, 1.4-sent failed"],
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
  ])("%s with %j after %d s, its person says %s: %s", (id, arrivals, seconds, word, expected) => {
    expect(judge(id, arrivals, seconds, word)).toBe(expected);
  });

  test("is failed by an answer to any of its codes, and not forgiven by the next", () => {
    const showings = [
      { arrivals: [answer(1)], ageMs: 60_000 },
      { arrivals: [], ageMs: 5_000 },
    ];
    expect(judgePhoneCase(caseOf("7-future/ahead"), { showings, word: "good" })).toMatchObject([
      { outcome: "failed" },
    ]);
  });
});

describe("the report", () => {
  const facts = { target: "a wallet", startedAt: new Date(0), seconds: 1, shown: 2 };
  const judged = (id: string, tried: TriedCase): JudgedCase => ({
    ...caseOf(id),
    outcomes: judgePhoneCase(caseOf(id), tried),
  });
  const answered = { showings: [{ arrivals: [answer(1)], ageMs: 2_000 }], word: "good" } as const;
  const silent = { showings: [{ arrivals: [], ageMs: 2_000 }], word: "good" } as const;
  const outcomeOf = (cases: JudgedCase[], id: string) =>
    reportPhone(cases, facts).checks.find((check) => check.id === id)?.outcome;

  test("holds silence for nothing where no wallet has signed the correct code, whatever else has come", () => {
    const cases = [judged(FIRST_CASE, silent), judged("7-future/ahead", silent)];
    expect(outcomeOf(cases, "7-future")).toBe("blocked");
    expect(reportPhone(cases, facts).holds).toBe(false);
    const garbage = answer(1, { problem: { check: "1.5-sent", message: "The signature is no text." } });
    const first = judged(FIRST_CASE, { showings: [{ arrivals: [garbage], ageMs: 2_000 }], word: null });
    expect(outcomeOf([first, judged("7-future/ahead", silent)], "7-future")).toBe("blocked");
  });

  test("passes a check that each of its codes has passed, and names those that were not tried", () => {
    const first = judged(FIRST_CASE, answered);
    const untried = { showings: [], word: null };
    expect(outcomeOf([first, judged("7-future/ahead", silent)], "7-future")).toBe("passed");
    const half = [first, judged("7-expired/old", silent), judged("7-expired/fresh-ts", untried)];
    const { checks } = reportPhone(half, facts);
    expect(checks.find(({ id }) => id === "7-expired")).toMatchObject({
      outcome: "skipped",
      message: "Not tried: An old challenge with a fresh ts.",
    });
  });

  test("fails a check for one of its codes, and the run with it", () => {
    const cases = [judged(FIRST_CASE, answered), judged("7-future/ahead", answered)];
    expect(outcomeOf(cases, "7-future")).toBe("failed");
    expect(reportPhone(cases, facts).holds).toBe(false);
  });
});
