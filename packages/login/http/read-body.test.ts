import { describe, expect, test } from "vitest";
import { readJsonBody } from "./read-body.ts";

const read = (headers: Record<string, string>) =>
  readJsonBody(new Request("https://shop.example/", { method: "POST", headers, body: "{}" }));

test.each(["identity", "IDENTITY", "", "identity, identity"])(
  "reads a body unchanged, whatever its content encoding: '%s'",
  async (encoding) => {
    const headers = { "Content-Type": "Application/JSON", "Content-Encoding": encoding };
    expect(await read(headers)).toEqual({});
  },
);

describe("the content type", () => {
  test.each([
    "application/json",
    "Application/JSON;Charset=UTF-8",
    "application/json;charset=utf8",
    "application/json; charset=UTF8",
    'application/json; charset="utf-8"',
    'application/json; charset="UTF\\-8"',
    "application/json; charset='utf-8'",
    "application/json; charset = utf-8",
    'application/json;\tcharset=" utf-8 "',
    "application/json ; charset=utf-8 ;",
    "application/json; charset=",
    "application/json; charset",
    "application/json; charset=unicode-1-1-utf-8",
    "application/json; version=2; charset=utf-8",
    "application/json; charset=utf-8; charset=utf-8",
  ])("is accepted: %s", async (type) => {
    expect(await read({ "Content-Type": type })).toEqual({});
  });

  test.each([
    "text/plain",
    "application/jsonp",
    "application/json, text/plain",
    "application/json; charset=utf-16",
    "application/json; charset=iso-8859-1",
    "application/json; charset=nonsense",
    "application/json; charset=utf-8; charset=latin1",
    `application/json; charset=${"'".repeat(15_000)}`,
  ])("is refused with 415: %.60s", async (type) => {
    await expect(read({ "Content-Type": type })).rejects.toMatchObject({
      status: 415,
      code: "unsupported_media_type",
    });
  });
});
