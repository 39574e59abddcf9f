import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Check } from "./check.ts";
import { FAST_CHECKS } from "./fast/checks.ts";
import { HOSTED_CHECKS } from "./hosted/checks.ts";
import { RECEIVER_CHECKS } from "./receiver/checks.ts";
import { LOGIN_CHECKS } from "./server/checks.ts";
import { WALLET_CHECKS } from "./wallet/checks.ts";

/**
 * Compares docs/protocol.md with the kit. Each check must belong to a rule in its section, and the examples must be
 * well-formed.
 */

const protocol = readFileSync(new URL("../../docs/protocol.md", import.meta.url), "utf8");
const parts: readonly (readonly Check<never>[])[] = [
  LOGIN_CHECKS,
  FAST_CHECKS,
  HOSTED_CHECKS,
  RECEIVER_CHECKS,
  WALLET_CHECKS,
];
const checks = parts.flat();

type Rule = { section: string; text: string; ids: string[] };

function rulesOf(text: string): Rule[] {
  let section = "";
  return text.split("\n").flatMap((line) => {
    const [, heading] = line.match(/^#+ (?:(\d+(?:\.\d+)?)\.? )?/) ?? [];
    if (line.startsWith("#")) section = heading ?? "";
    const ids = [...line.matchAll(/`(\d+(?:\.\d+)?-[a-z\d-]+)`/g)].map(([, id = ""]) => id);
    return ids.length > 0 && section !== "" ? [{ section, text: line, ids }] : [];
  });
}

describe("the rules in docs/protocol.md", () => {
  const rules = rulesOf(protocol);

  test("contain every check once, in the section that its id names", () => {
    const ruledChecks = rules.flatMap(({ ids, section }) => ids.map((id) => `${section}: ${id}`));
    const expected = checks.map(({ id }) => `${id.split("-")[0]}: ${id}`);
    expect(ruledChecks.toSorted()).toEqual(expected.toSorted());
  });

  test("say MUST if any of their checks is a MUST, and otherwise SHOULD", () => {
    const levels = new Map(checks.map(({ id, level }) => [id, level]));
    const wrong = rules.filter(({ text, ids }) => {
      const isBinding = ids.some((id) => levels.get(id) === "MUST");
      // A table shows the order in which a response is validated, and the sentence above the table contains MUST.
      return !text.startsWith("|") && !(isBinding ? /\b(?:MUST|MAY)\b/ : /\bSHOULD\b/).test(text);
    });
    expect(wrong).toEqual([]);
  });
});

describe("the examples in docs/protocol.md", () => {
  const messages = [...protocol.matchAll(/^```http\n(.*?)^```$/gms)].map(([, message = ""]) => message);
  const bodiesOf = (type: string) =>
    messages
      .filter((message) => message.includes(`Content-Type: ${type}\n`))
      .map((message) => message.split("\n\n").slice(1).join("\n\n"));

  test("show a request to each endpoint and its response", () => {
    const endpoints = [...protocol.matchAll(/^### .*?`(?:GET|POST) (\/[^`?]+)/gm)].map(([, path]) => path);
    expect(endpoints.length).toBeGreaterThan(7);
    const requested = messages.map((message) => message.split(/[ ?]/, 2)[1]);
    expect(endpoints.filter((path) => !requested.includes(path))).toEqual([]);
    expect(messages.length).toBeGreaterThan(40);
  });

  test("contain valid JSON in every body with a JSON content type", () => {
    const bodies = bodiesOf("application/json").filter((body) => body !== "");
    expect(bodies.length).toBeGreaterThan(25);
    for (const body of bodies) expect(() => JSON.parse(body), body).not.toThrow();
  });

  test("follow the protocol's grammars", () => {
    const [, challenge] = protocol.match(/^For example: `([^`]+)`/m) ?? [];
    expect(challenge).toMatch(/^svc:(?:login|register):[a-z\d.-]{1,253}:(?:0|[1-9]\d{0,11}):[A-Za-z\d]{32}$/);
    const [payload = ""] = protocol.match(/^svc:\/\/auth\?.*$/m) ?? [];
    expect([...new URL(payload).searchParams.keys()]).toEqual(["webhook", "session", "challenge", "ts"]);
    const [fast = ""] = protocol.match(/^https:\/\/shop\.example\/api\/fastauth\?.*$/m) ?? [];
    expect(fast).toMatch(/\?sid=…&c=…&t=[\da-f]+$/);
  });
});
