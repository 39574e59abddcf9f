import { expect, test } from "vitest";
import { acceptsHtml, readTruncatedHeader, wantsJson } from "./web-request.ts";

test.each([
  ["application/json", true, false],
  ["APPLICATION/JSON", true, false],
  ["text/plain, application/json ; charset=utf-8;q=0.5", true, false],
  ["application/json;q=0", false, false],
  ["application/json; Q=0.000", false, false],
  ["application/json, text/html;q=0.1", false, true],
  ["application/json, Text/HTML;q=0", true, false],
  ["text/html,application/xhtml+xml,*/*;q=0.8", false, true],
  ["application/jsonp, */*", false, false],
  ["", false, false],
])("reads Accept: %s as a request for JSON: %s, for a page: %s", (accept, json, html) => {
  expect([wantsJson(accept), acceptsHtml(accept)]).toEqual([json, html]);
});

test("parses only the first 1,024 characters of a header", () => {
  const parsedAccept = (value: string) => readTruncatedHeader(new Headers({ accept: value }), "accept");
  expect(parsedAccept("x".repeat(1024))).toHaveLength(1024);
  expect(parsedAccept("x".repeat(16_000))).toHaveLength(1024);
  expect(readTruncatedHeader(new Headers(), "accept")).toBe("");
});
