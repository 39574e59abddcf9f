import { describe, expect, test } from "vitest";
import { renderClientErrorResponse } from "#packages/login/gate/refusal.ts";
import { createGateSettings } from "./gate.ts";

const SETTINGS = createGateSettings(
  { APP_URL: new URL("http://localhost"), SECURE: false, TRUSTED_PROXIES: 0 },
  false,
);

/** The request exceeds the parser's limit after these bytes. */
function overflow(bytes: string) {
  const error = { code: "HPE_HEADER_OVERFLOW", rawPacket: Buffer.from(bytes, "latin1") };
  const [head = "", body = ""] = renderClientErrorResponse(error, SETTINGS).split("\r\n\r\n");
  return { head, body };
}

const HEADERS_TOO_LARGE = "431 Request Header Fields Too Large";
const large = `X: ${"x".repeat(60_000)}`;

describe("a request that is too large to parse", () => {
  test.each([
    ["GET /v1/sessions HTTP/1.1", large, HEADERS_TOO_LARGE, /"code":"headers_too_large"/],
    [`GET /v1/sessions?${"a".repeat(60_000)}`, "", "414 URI Too Long", /"code":"uri_too_long"/],
    [`GET /v1/sessions?${"a".repeat(5_000)} HTTP/1.1`, large, "414 URI Too Long", /"code":"uri_too_long"/],
    ["GET /api/checkfast?sid=x HTTP/1.1", large, HEADERS_TOO_LARGE, /^Error: The headers/],
    [`POST /api/fastauth?${"a".repeat(60_000)}`, "", "414 URI Too Long", /^Error: The address/],
    ["GET /login HTTP/1.1", `Accept: text/html\r\n${large}`, HEADERS_TOO_LARGE, /^<!doctype html>/],
    ["GET /login HTTP/1.1", large, HEADERS_TOO_LARGE, /"code":"headers_too_large"/],
    ["GET /v1/x HTTP/1.1", `Accept: text/html\r\n${large}`, HEADERS_TOO_LARGE, /^\{"error"/],
    ["x".repeat(60_000), "", HEADERS_TOO_LARGE, /"code":"headers_too_large"/],
  ])("is refused in a format that suits its URL: %.30s…", (line, headers, status, form) => {
    const { head, body } = overflow(`${line}\r\n${headers}`);
    expect(head).toContain(`HTTP/1.1 ${status}\r\n`);
    expect(head).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(head).toContain(`\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`);
    expect(body).toMatch(form);
  });

  test("gets a response that wallets of any origin can read", () => {
    const { head } = overflow(`POST /webhook/login HTTP/1.1\r\n${large}`);
    expect(head).toContain("Access-Control-Allow-Origin: *");
    expect(overflow(`GET /login HTTP/1.1\r\n${large}`).head).not.toContain("Access-Control");
  });
});

test("does not repeat any part of the request in its response", () => {
  const { head, body } = overflow(`GET /login?<script>${"a".repeat(60_000)}\r\nAccept: text/html`);
  expect(head + body).not.toContain("<script");
});
