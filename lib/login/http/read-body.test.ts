import { expect, test } from "vitest";
import { readJson } from "./read-body.ts";

test.each(["identity", "IDENTITY"])("a body with the content encoding %s is as it is", async (encoding) => {
  const headers = { "Content-Type": "Application/JSON", "Content-Encoding": encoding };
  const request = new Request("https://shop.example/", { method: "POST", headers, body: "{}" });
  expect(await readJson(request)).toEqual({});
});
