import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlOf } from "./curl.ts";

/** The arguments that a shell would give to curl. */
function argumentsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`;
  const output = execFileSync("/bin/sh", ["-c", script], {
    env: { ...process.env, SVC_KEY: "svc_test_k" },
    encoding: "utf8",
  });
  return output.split("\0").slice(0, -1);
}

test("a shell hands curl the body as it is, whatever characters it has", () => {
  const body = { name: 'it\'s $HOME `id` "quoted" \\ & more' };
  expect(argumentsOf(curlOf({ url: "http://localhost:3000/v1/x?a=1&b=2", method: "POST", body }))).toEqual([
    "http://localhost:3000/v1/x?a=1&b=2",
    "-H",
    "Authorization: Bearer svc_test_k",
    "--json",
    JSON.stringify(body),
  ]);
});

test("a method is named where curl would not take it by itself", () => {
  const url = "https://login.example.com/v1/domains/dom_1";
  expect(argumentsOf(curlOf({ url, method: "GET" }))[0]).toBe(url);
  expect(argumentsOf(curlOf({ url, method: "POST" })).slice(0, 2)).toEqual(["-X", "POST"]);
  expect(argumentsOf(curlOf({ url, method: "DELETE" })).slice(0, 2)).toEqual(["-X", "DELETE"]);
  expect(argumentsOf(curlOf({ url, method: "PATCH", body: {} })).slice(0, 2)).toEqual(["-X", "PATCH"]);
});
