import { expect, test } from "vitest";
import { searchReference } from "./search-reference.ts";

const GROUPS = [
  {
    title: "Sessions",
    entries: [
      {
        id: "createSession",
        name: "Create session",
        terms: ["POST /sessions", "webhook_url"],
        text: "Issues a challenge.",
      },
      { id: "getSession", name: "Get session", terms: ["GET /sessions/{id}", "session_expired"], text: "" },
    ],
  },
  {
    title: "Domains",
    entries: [{ id: "updateDomain", name: "Update domain", terms: ["webhook_url"], text: "" }],
  },
];

const found = (query: string) =>
  searchReference(GROUPS, query).flatMap(({ entries }) => entries.map(({ id, term }) => [id, term]));

test("an empty query finds everything, in the reference's order", () => {
  expect(found(" ")).toEqual([
    ["createSession", null],
    ["getSession", null],
    ["updateDomain", null],
  ]);
});

test("a name is found in any letter case, and every word has to be there", () => {
  expect(found("CREATE sess")).toEqual([["createSession", null]]);
  expect(found("create domain")).toEqual([]);
});

test("a field, an error or a path is found, and named", () => {
  expect(found("webhook_url")).toEqual([
    ["createSession", "webhook_url"],
    ["updateDomain", "webhook_url"],
  ]);
  expect(found("expired")).toEqual([["getSession", "session_expired"]]);
  expect(found("challenge")).toEqual([["createSession", null]]);
});

test("a query is text, not a pattern", () => expect(found(".*")).toEqual([]));
